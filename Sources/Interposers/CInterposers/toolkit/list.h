// The list of interposed toolkit functions, and the real functions.
#ifndef MAINSTAY_TOOLKIT_LIST_H
#define MAINSTAY_TOOLKIT_LIST_H

#include <stdbool.h>

#include "toolkit_interposer.h"

/// Finds the list; returns false if crashscan's library was not loaded, or has another version.
bool ms_toolkit_list_start(void);

const ms_toolkit_function *ms_toolkit_function_of(const ms_toolkit_entry *entry);
const ms_toolkit_kit *ms_toolkit_kit_at(uint32_t toolkit);
uint32_t ms_toolkit_kit_count(void);
const char *ms_toolkit_text(uint32_t place);

/// The entry of a function; NULL if the list does not contain the name.
ms_toolkit_entry *ms_toolkit_entry_named(const char *name);

/// The interposer of an entry.
void *ms_toolkit_front(const ms_toolkit_entry *entry);

/// The real function; NULL if no library of its toolkit is loaded. The first call asks the loader.
void *ms_toolkit_real(ms_toolkit_entry *entry);

/// True if an address is in one of a toolkit's own libraries.
bool ms_toolkit_is_within(const ms_toolkit_kit *kit, uintptr_t address);

/// Finds a function of a library that may be visible only to the code that loaded it.
void *ms_toolkit_find(const char *library, const char *name);

/// Reports a missing function and ends the process. Without the interposers, the loader would not have started the
/// program.
_Noreturn void ms_toolkit_end_without(const char *name);

/// The loader's own `dlsym`, which does not return the interposers.
typedef void *(*ms_dlsym)(void *handle, const char *name);
ms_dlsym ms_real_dlsym(void);

/// The file name of the module that contains an address, without directories, empty for the program; and the offset
/// in the file.
const char *ms_toolkit_file_of(uintptr_t address, uintptr_t *offset);

#endif
