#ifndef CDEMANGLE_H
#define CDEMANGLE_H

#include <stddef.h>
#include <stdint.h>

/// The result of demangling a name.
typedef enum {
  MS_DEMANGLED,
  MS_NOT_MANGLED,
  /// The readable name does not fit the buffer.
  MS_DEMANGLED_TOO_LONG,
  /// The name was not demangled, because it refers to itself so often that its text might exceed all memory.
  MS_NOT_TRIED,
} ms_demangling;

/// Writes a short readable form of a Swift or C++ name, without a terminator, and its length.
ms_demangling ms_demangle(const char *mangled, char *buffer, size_t capacity, size_t *length);

#endif
