// Requests of a test process to its loader, and the entry of its child processes.
#ifndef MAINSTAY_CTESTPROCESS_H
#define MAINSTAY_CTESTPROCESS_H

#include <stddef.h>
#include <stdint.h>

#include "CCarrying.h"
#include "CInterleaving.h"
#include "CLastWords.h"
#include "CTurns.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The variable whose presence in the environment makes a process a child of a test.
#define MS_CHILD_VARIABLE "MAINSTAY_TEST_CHILD"

/// A file that is mapped into this process as code.
typedef struct {
  char *path;      ///< empty for the program itself; for the caller to free
  uintptr_t bias;  ///< what to subtract from an address to get the file's own
  uintptr_t text_start;
  uintptr_t text_end;     ///< the end of the last segment that may be executed
  uint8_t build_id[64];
  uint32_t build_id_size;  ///< 0 where the file carries none
} ms_loaded_module;

/// Copies the list of loaded modules, up to `capacity`, and returns their total number.
///
///
/// Signal safety: none; it holds the loader's lock.
size_t ms_copy_loaded_modules(ms_loaded_module *modules, size_t capacity);

/// The address of a function.
///
/// Signal safety: safe.
uintptr_t ms_address_of(void (*function)(void));

/// Calls the function at an address.
///
/// Signal safety: as the function.
void ms_call(uintptr_t function);

/// Installs the reader of logs and stacks, if the process links `CrashTesting`, which has one.
///
/// Signal safety: none; it allocates.
void ms_load_crash_reader(void);

#ifdef __cplusplus
}
#endif
#endif
