#include <stdlib.h>

#include "CTestProcess.h"

// In the library above: never returns.
void ms_child_main(void);

// In CrashTesting, which not every test links.
__attribute__((weak)) void ms_install_crash_reader(void);

void ms_load_crash_reader(void) {
  if (ms_install_crash_reader) ms_install_crash_reader();
}

// A child is entered here, before `main` could run the tests: with everything loaded, and the
// program's own Swift code registered, for the linker puts the runtime's constructor first.
__attribute__((constructor)) static void enter_child(void) {
  if (getenv(MS_CHILD_VARIABLE) != NULL) ms_child_main();
}

uintptr_t ms_address_of(void (*function)(void)) { return (uintptr_t)function; }

void ms_call(uintptr_t function) { ((void (*)(void))function)(); }
