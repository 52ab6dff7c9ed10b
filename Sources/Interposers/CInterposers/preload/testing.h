// The parts of the library that `crashscan test` preloads.
#ifndef MAINSTAY_TESTING_H
#define MAINSTAY_TESTING_H

#include <stdbool.h>

/// True if the executable of this process is a test bundle, by its name. Not signal-safe.
bool ms_is_test_bundle(void);

/// The path of the executable, once `ms_is_test_bundle` was called.
const char *ms_test_executable(void);

/// The variable with the number of processors that the tests may use.
extern const char ms_test_pool_variable[];

/// Restricts this process to the number of processors in that variable. Dispatch in the program that this process executes
/// next makes its pools of that width. Returns false if nothing changed. Not signal-safe.
bool ms_test_pool_narrow(void);

#endif
