// Loader queries of a test process, and the entry of its child processes.
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

/// The environment variable that makes a process a child of a test.
#define MS_CHILD_VARIABLE "MAINSTAY_TEST_CHILD"

/// A code file that is mapped into this process.
typedef struct {
  char *path;      ///< empty for the program itself; freed by the caller
  uintptr_t bias;  ///< an address in the process minus the address in the file
  uintptr_t text_start;
  uintptr_t text_end;     ///< the end of the last executable segment
  uint8_t build_id[64];
  uint32_t build_id_size;  ///< 0 if the file has no build id
} ms_loaded_module;

/// Copies the list of loaded modules, up to `capacity`, and returns their total number.
///
/// Signal safety: none; it holds the loader's lock.
size_t ms_copy_loaded_modules(ms_loaded_module *modules, size_t capacity);

/// The address of a function.
///
/// Signal safety: safe.
uintptr_t ms_address_of(void (*function)(void));

/// Calls the function at an address.
///
/// Signal safety: as safe as the called function.
void ms_call(uintptr_t function);

/// Installs the reader of logs and stacks if the process links `CrashTesting`.
///
/// Signal safety: none; it allocates.
void ms_load_crash_reader(void);

#ifdef __cplusplus
}
#endif
#endif
