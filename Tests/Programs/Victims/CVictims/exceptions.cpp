// Deaths by C++.

#include <cstdlib>
#include <stdexcept>

#include "CVictims.h"

namespace till {
struct Unbalanced : std::runtime_error {
  using std::runtime_error::runtime_error;
};
}  // namespace till

static volatile int sink;

void die_uncaught_exception(void) {
  throw till::Unbalanced("the till is short by 3");
}

void die_bare_throw(void) {
  throw;
}

static int compare(const void *, const void *) { throw till::Unbalanced("not comparable"); }

void die_throw_across_callback(void) {
  int numbers[] = {3, 1, 2};
  std::qsort(numbers, 3, sizeof *numbers, compare);
  sink = numbers[0];
}
