#include <stdlib.h>

#include "CTestProcess.h"

// Defined in AffinityTesting; never returns.
void ms_child_main(void);

// Defined in CrashTesting, which only some tests link.
__attribute__((weak)) void ms_install_crash_reader(void);

void ms_load_crash_reader(void) {
  if (ms_install_crash_reader) ms_install_crash_reader();
}

// The entry point of a child process, before `main` runs the tests. All libraries are loaded by
// then, and the program's own Swift code is registered, because the linker puts the constructor of
// the Swift runtime first.
__attribute__((constructor)) static void enter_child(void) {
  if (getenv(MS_CHILD_VARIABLE) != NULL) ms_child_main();
}

uintptr_t ms_address_of(void (*function)(void)) { return (uintptr_t)function; }

void ms_call(uintptr_t function) { ((void (*)(void))function)(); }
