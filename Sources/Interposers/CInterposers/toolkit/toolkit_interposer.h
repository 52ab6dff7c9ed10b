// Detects calls of a toolkit's functions off the thread that owns the toolkit.
//
// `crashscan run` writes a library that defines the functions of a list, and preloads that library together with this
// one. Each of its functions jumps to `ms_toolkit_enter`, which continues to the real function: on the owner's thread
// after a single comparison.
#ifndef MAINSTAY_TOOLKIT_FRONT_H
#define MAINSTAY_TOOLKIT_FRONT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- The list in that library. crashscan's Swift code writes the same layout.

enum { MS_TOOLKIT_LAYOUT = 1, MS_TOOLKITS = 15 };

/// The kinds of calls that are judged.
typedef enum {
  MS_TOOLKIT_CALL = 0,     ///< every call
  MS_TOOLKIT_CALL_ON = 1,  ///< a call whose first argument is one of the toolkit's objects
  MS_TOOLKIT_NEW_OF = 2,   ///< a call whose first argument is the type of a toolkit object
  MS_TOOLKIT_LOCK = 3,     ///< no finding: after its return, the thread may call the toolkit
  MS_TOOLKIT_UNLOCK = 4,   ///< no finding: the thread may no longer call the toolkit
} ms_toolkit_kind;

/// The rule that determines the owner of a toolkit.
typedef enum {
  MS_TOOLKIT_FIRST = 0,         ///< the thread that called first, until it ends
  MS_TOOLKIT_MAIN_CONTEXT = 1,  ///< the first thread, then any thread that owns GLib's default main context
} ms_toolkit_owner_rule;

/// The mutable part of a function, in writable memory.
typedef struct {
  void *_Atomic real;  ///< NULL: not looked up yet
  uint32_t owner;      ///< the byte offset of the toolkit's owner in `ms_toolkit_owners`
  uint32_t number;
} ms_toolkit_entry;

/// A function; the functions are sorted by name. Texts are offsets in `texts`; 0: no text.
typedef struct {
  uint32_t name;
  uint32_t type;  ///< the type of the first argument, if that is an object
  uint16_t kind;
  uint16_t toolkit;
} ms_toolkit_function;

typedef struct {
  uint32_t name;
  uint32_t libraries;  ///< the file names of the libraries, one per line
  uint32_t fixes;      ///< the fixes, one per line: a language, a space, a sentence
  uint32_t type;       ///< the base type of the toolkit's objects
  uint32_t naming;     ///< the function that returns an object's name
  uint32_t owner;      ///< ms_toolkit_owner_rule
} ms_toolkit_kit;

/// The offsets of the other parts, relative to this struct.
typedef struct {
  uint32_t layout;
  uint32_t function_count;
  uint32_t kit_count;
  uint32_t unused;
  int64_t entries, functions, kits, texts, code;
} ms_toolkit_list;

/// The size of one function of the library, in `code`.
enum { MS_TOOLKIT_CODE_SIZE = 24 };

_Static_assert(sizeof(ms_toolkit_entry) == 16, "crashscan writes it");
_Static_assert(sizeof(ms_toolkit_function) == 12, "crashscan writes it");
_Static_assert(sizeof(ms_toolkit_kit) == 24, "crashscan writes it");
_Static_assert(sizeof(ms_toolkit_list) == 56, "crashscan writes it");

/// The jump target of the library's functions, with their entry in r11. Preserves all argument registers.
void ms_toolkit_enter(void) __attribute__((visibility("default")));

#ifdef __cplusplus
}
#endif
#endif
