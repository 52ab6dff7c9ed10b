#ifndef MS_REFERENCES_H
#define MS_REFERENCES_H

#include <stddef.h>
#include <stdint.h>

/// The count of a name that the demangler does not survive, whatever it refers to.
#define MS_NEVER_TRY SIZE_MAX

/// How often a mangled Swift name refers to an earlier part of itself, or more: never less.
size_t ms_swift_references(const char *mangled);

/// The number of references in a C++ name.
size_t ms_cxx_references(const char *mangled);

#endif
