#include "executors.h"
#include "overdue.h"

#if MS_STANDS_IN_FRONT
extern const ms_real_function __start_ms_reals[] __attribute__((visibility("hidden")));
extern const ms_real_function __stop_ms_reals[] __attribute__((visibility("hidden")));

__attribute__((constructor(101))) static void find_real_functions(void) {
  for (const ms_real_function *each = __start_ms_reals; each < __stop_ms_reals; each++) {
    ms_real(each->known, each->name);
  }
}
#endif

/// One that was preloaded as well leaves it to this one.
static void ms_blocking_rest(void) {
  void (*rest)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "mainstay_blocking_rest_1");
  if (rest) rest();
}

bool ms_blocking_begin(const ms_blocking_request *request, const char **reason) {
  if (!MS_STANDS_IN_FRONT) {
    *reason = "a sanitizer stands in front of the C library";
    return false;
  }
  if (dlsym(RTLD_NEXT, "nanosleep") == NULL) {
    *reason = "the C library is linked into the program";
    return false;
  }
  ms_blocking_rest();
  ms_executors_start(request->places);
  ms_clock_start();
  ms_judge_begins(request);
  if (request->policies) ms_overdue_begin();
  return true;
}
