#include <asm/unistd.h>
#include <unistd.h>

#include "executors.h"
#include "overdue.h"

#if MS_STANDS_IN_FRONT
extern const ms_real_function __start_ms_reals[] __attribute__((visibility("hidden")));
extern const ms_real_function __stop_ms_reals[] __attribute__((visibility("hidden")));

/// Ends a fully static program with a message, by system calls alone. Such a program has no real functions behind the
/// interposed functions: the first call would jump to address 0.
static void refuse_static_program(void) {
  static const char sentence[] =
      "mainstay: BlockingCalls is linked into a fully static program (-static-executable), where it cannot call the C library's "
      "functions: link the program dynamically, or without BlockingCalls\n";
  enum { failure = 127 };
  if (dlsym(RTLD_NEXT, "nanosleep") != NULL) return;
  ms_ask_kernel(__NR_write, STDERR_FILENO, (long)sentence, sizeof sentence - 1, 0);
  ms_ask_kernel(__NR_exit_group, failure, 0, 0, 0);
}

__attribute__((constructor(101))) static void find_real_functions(void) {
  refuse_static_program();
  for (const ms_real_function *each = __start_ms_reals; each < __stop_ms_reals; each++) {
    ms_real(each->known, each->name);
  }
}
#endif

/// Stops the preloaded copy of this library, if one exists: only one copy may report.
static void ms_blocking_rest(void) {
  void (*rest)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "mainstay_blocking_rest_1");
  if (rest) rest();
}

bool ms_blocking_begin(const ms_blocking_request *request, const char **reason) {
  if (!MS_STANDS_IN_FRONT) {
    *reason = "a sanitizer intercepts the C library";
    return false;
  }
  if (dlsym(RTLD_NEXT, "nanosleep") == NULL) {
    *reason = "the C library is statically linked into the program";
    return false;
  }
  ms_blocking_rest();
  ms_executors_start(request->places);
  ms_clock_start();
  ms_judge_begins(request);
  if (request->policies) ms_overdue_begin();
  return true;
}
