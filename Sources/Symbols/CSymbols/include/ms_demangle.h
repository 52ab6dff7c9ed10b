#ifndef CDEMANGLE_H
#define CDEMANGLE_H

#include <stddef.h>
#include <stdint.h>

/// How demangling a name ended.
typedef enum {
  MS_DEMANGLED,
  MS_NOT_MANGLED,
  /// It does not fit the buffer.
  MS_DEMANGLED_TOO_LONG,
  /// It refers to itself so often that it might unfold without end, and was not tried.
  MS_NOT_TRIED,
} ms_demangling;

/// Writes a short readable form of a Swift or C++ name, without a terminator.
ms_demangling ms_demangle(const char *mangled, char *buffer, size_t capacity, size_t *length);

#endif
