#include "CRuntime.h"

#include <stddef.h>

// These keep an object's memory, but not the object: what the compiler itself uses for `unowned`.
// Linked, not looked up: a runtime without them is noticed by the linker.
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);
extern void *swift_tryRetain(void *object);

void ms_object_remember(void *object) { swift_unownedRetain(object); }

void ms_object_forget(void *object) { swift_unownedRelease(object); }

bool ms_object_hold(void *object) { return swift_tryRetain(object) != NULL; }
