// Notices calls of a toolkit's functions off the thread that the toolkit belongs to.
//
// `crashscan run` writes a library that defines the functions of a list, and has the loader put it and this one in
// front of the real ones. Each of its functions leads to `ms_toolkit_enter`, which goes on to the real one, on the
// owner's thread after a comparison.
#ifndef MAINSTAY_TOOLKIT_FRONT_H
#define MAINSTAY_TOOLKIT_FRONT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- The list, as that library carries it. crashscan's Swift code writes the same.

enum { MS_TOOLKIT_LAYOUT = 1, MS_TOOLKITS = 15 };

/// The kinds of calls that belong to the owner.
typedef enum {
  MS_TOOLKIT_CALL = 0,     ///< each
  MS_TOOLKIT_CALL_ON = 1,  ///< one whose first argument is one of the toolkit's objects
  MS_TOOLKIT_NEW_OF = 2,   ///< one whose first argument is the type of such an object
  MS_TOOLKIT_LOCK = 3,     ///< none: who comes back from it may call
  MS_TOOLKIT_UNLOCK = 4,   ///< none: may no longer
} ms_toolkit_kind;

/// The owner of a toolkit.
typedef enum {
  MS_TOOLKIT_FIRST = 0,         ///< the thread that called first, until it ends
  MS_TOOLKIT_MAIN_CONTEXT = 1,  ///< and from then on who owns GLib's default main context
} ms_toolkit_owner_rule;

/// The part of a function that changes, in writable memory.
typedef struct {
  void *_Atomic real;  ///< NULL: not looked for yet
  uint32_t owner;      ///< where its toolkit's owner stands in `ms_toolkit_owners`, in bytes
  uint32_t number;
} ms_toolkit_entry;

/// A function, in the order of their names. Texts are places in `texts`; 0: none.
typedef struct {
  uint32_t name;
  uint32_t type;  ///< of the object that it is given first
  uint16_t kind;
  uint16_t toolkit;
} ms_toolkit_function;

typedef struct {
  uint32_t name;
  uint32_t libraries;  ///< of lines
  uint32_t fixes;      ///< of lines: a language, a space, a sentence
  uint32_t type;       ///< what all of its objects are
  uint32_t naming;     ///< the function that names one
  uint32_t owner;      ///< ms_toolkit_owner_rule
} ms_toolkit_kit;

/// The addresses of the other parts, each relative to this one.
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

/// The target of the library's functions, with their entry in r11. Preserves all argument registers.
void ms_toolkit_enter(void) __attribute__((visibility("default")));

#ifdef __cplusplus
}
#endif
#endif
