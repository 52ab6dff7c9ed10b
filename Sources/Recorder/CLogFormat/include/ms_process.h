// The process that wrote a log and the machine it ran on, as /proc shows them.
#ifndef MAINSTAY_PROCESS_H
#define MAINSTAY_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "ms_log_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the 16 bytes of the kernel's boot id to `id`; false if the kernel does not tell. Not signal-safe.
bool ms_boot_id(uint8_t *id);

/// True if the machine was booted after the log was opened, as far as that is known. Not signal-safe.
bool ms_is_of_another_boot(const ms_log_identity *identity);

typedef enum {
  MS_PROCESS_UNSEEN,  ///< gone, or not visible from this process
  MS_PROCESS_LIVES,
  MS_PROCESS_DEAD,  ///< a zombie
} ms_process_sight;

/// The state of the process that wrote a log. Not signal-safe.
ms_process_sight ms_process_look(const ms_log_identity *identity);

/// The start time of this process in kernel ticks since boot, which names it together with its id. Not signal-safe.
uint64_t ms_own_start(void);

#ifdef __cplusplus
}
#endif
#endif
