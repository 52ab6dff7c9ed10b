// Identifies the library's own code in stacks, which is between a program's code and a crumb.
#ifndef MAINSTAY_OWN_CODE_H
#define MAINSTAY_OWN_CODE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns true if `name` is a Swift module of the recorder. Signal safety: safe.
bool ms_own_module(const char *name);

/// Returns true if `name` is the Swift module of an adapter, which other packages call and which calls them. Signal
/// safety: safe.
bool ms_own_adapter(const char *name);

/// Returns true if `name` is a source folder of C code that is linked into the program's module. Signal safety: safe.
bool ms_own_folder(const char *name);

/// Returns true if Mainstay interposes the libc function `name`. Without file names, only the name distinguishes such
/// a function from the program's. Signal safety: safe.
bool ms_own_interposer(const char *name);

/// Returns the interposed libc functions in alphabetical order, terminated by NULL. Signal safety: safe.
const char *const *ms_own_interposers(void);

/// Returns true if a function is Mainstay's, by its mangled name or by its source file (may be NULL), because static
/// C functions may have any name. Signal safety: safe.
bool ms_own_function(const char *mangled_name, const char *file);

#ifdef __cplusplus
}
#endif
#endif
