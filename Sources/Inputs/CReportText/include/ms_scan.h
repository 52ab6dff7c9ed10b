#ifndef CREPORTSCAN_H
#define CREPORTSCAN_H

#include <stddef.h>
#include <stdint.h>

/// A set of substrings for a simultaneous search.
typedef struct ms_needles ms_needles;

/// Prepares a search for `count` substrings, each of at least 3 bytes; NULL if memory is exhausted.
ms_needles *ms_needles_make(const char *const *texts, size_t count);
void ms_needles_free(ms_needles *needles);

/// The position of the first substring at or after `from`; `size` if none occurs.
size_t ms_needles_find(
    const ms_needles *needles, const uint8_t *bytes, size_t size, size_t from);

/// The first or last position of `text` in `bytes`; -1 if `text` does not occur. An empty text
/// never occurs.
ptrdiff_t ms_find(
    const uint8_t *bytes, size_t size, const uint8_t *text, size_t text_size, _Bool last);

#endif
