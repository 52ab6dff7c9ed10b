// What a test process asks of its loader, and the door by which a child of it is entered.
#ifndef MAINSTAY_CTESTPROCESS_H
#define MAINSTAY_CTESTPROCESS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The variable whose presence in the environment makes a process a child of a test.
#define MS_CHILD_VARIABLE "MAINSTAY_TEST_CHILD"

/// A file that is mapped into this process as code.
typedef struct {
  const char *path;  ///< empty for the program itself
  uintptr_t bias;    ///< what to subtract from an address to get the file's own
  uintptr_t text_start;
  uintptr_t text_end;  ///< the end of the last segment that may be executed
  uintptr_t end;       ///< the end of the last segment
  const uint8_t *build_id;
  uint32_t build_id_size;  ///< 0 where the file carries none
} ms_loaded_module;

/// Hands each module to `body`; what it points to is valid until `body` returns.
///
/// Signal safety: none; it holds the loader's lock.
void ms_each_loaded_module(void (*body)(void *context, const ms_loaded_module *module),
                           void *context);

#ifdef __cplusplus
}
#endif
#endif
