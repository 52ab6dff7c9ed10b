// Reads HTML by libxml2, as browsers do: whatever it is given becomes a tree.
//
// Its headers cannot be imported beside Foundation (both bring a version of ICU), so they stay here.

#ifndef SITES_WEB_PAGES_H
#define SITES_WEB_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/// What is met on the way through a document.
typedef struct {
  /// Called when an element begins; `link` is its `href`, or NULL. Says whether to go into it.
  bool (*begin)(void *context, const char *name, const char *link);
  /// Called with text.
  void (*text)(void *context, const char *text);
  /// Called when an element ends, also one that was not gone into.
  void (*end)(void *context, const char *name);
} sites_page_reader;

/// Reads `count` bytes of UTF-8, unless they name another encoding, and calls `reader` with what is there.
///
/// Nothing but the bytes is read. Says whether there is a document in them.
bool sites_read_page(
    const char *bytes, size_t count, const sites_page_reader *reader, void *context);

#endif
