// The process that wrote a log and the machine it ran on, according to /proc.
#ifndef MAINSTAY_PROCESS_H
#define MAINSTAY_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "ms_log_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the 16 bytes of the kernel's boot id to `id`; returns false if the kernel does not provide it. Not
/// signal-safe.
bool ms_boot_id(uint8_t *id);

/// Returns true if the machine was booted after the log was opened; false also if unknown. Not signal-safe.
bool ms_is_of_another_boot(const ms_log_identity *identity);

typedef enum {
  MS_PROCESS_UNSEEN,  ///< ended, or not visible from this process
  MS_PROCESS_LIVES,
  MS_PROCESS_DEAD,  ///< a zombie
} ms_process_sight;

/// Returns the state of the process that wrote a log. Not signal-safe.
ms_process_sight ms_process_look(const ms_log_identity *identity);

/// Returns the start time of this process in kernel ticks since boot, which together with the process id identifies
/// the process. Not signal-safe.
uint64_t ms_own_start(void);

#ifdef __cplusplus
}
#endif
#endif
