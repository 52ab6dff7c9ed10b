#ifndef MS_REFERENCES_H
#define MS_REFERENCES_H

#include <stddef.h>
#include <stdint.h>

/// The count of a name that would crash the demangler, whatever its references.
#define MS_NEVER_TRY SIZE_MAX

/// An upper bound of the references of a mangled Swift name to earlier parts of itself.
size_t ms_swift_references(const char *mangled);

/// An upper bound of the references in a C++ name.
size_t ms_cxx_references(const char *mangled);

#endif
