#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <new>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "subjects.h"

namespace {

void compare(const char *subject) { ms_compare_here(subject); }

void run_sort() {
  std::vector<int> numbers{3, 1, 2};
  std::sort(numbers.begin(), numbers.end(), [](int left, int right) {
    compare("std::sort");
    return left < right;
  });
}

void run_function() {
  std::string text = "captured, and too long for the small buffer";
  std::function<void()> function = [text] { compare(text.empty() ? "" : "std::function"); };
  function();
}

void run_map() {
  struct Less {
    bool operator()(int left, int right) const {
      compare("std::map");
      return left < right;
    }
  };
  std::map<int, int, Less> map;
  map[2] = map[1] = 0;
}

class comparing_buffer : public std::streambuf {
  int overflow(int character) override {
    compare("std::ostream");
    return character;
  }
};

void run_stream() {
  comparing_buffer buffer;
  std::ostream stream(&buffer);
  stream << 42 << std::flush;
}

void run_call_once() {
  static std::once_flag flag;
  std::call_once(flag, [] { compare("std::call_once"); });
}

void run_async() {
  std::async(std::launch::async, [] { compare("std::async"); }).get();
}

struct comparing_exception {
  comparing_exception() = default;
  comparing_exception(const comparing_exception &) { compare("an exception being copied"); }
  ~comparing_exception() { compare("an exception being destroyed"); }
};

struct comparing_guard {
  const char *subject;
  ~comparing_guard() { compare(subject); }
};

[[gnu::noinline]] void throw_through(int depth) {
  comparing_guard guard{"a destructor while unwinding"};
  if (depth == 0) {
    comparing_exception exception;
    throw exception;
  }
  throw_through(depth - 1);
}

void run_exception() {
  try {
    throw_through(3);
  } catch (const comparing_exception &) {
    compare("a catch block");
  }
}

void run_rethrow() {
  try {
    try {
      throw_through(1);
    } catch (...) {
      compare("a catch block that rethrows");
      throw;
    }
  } catch (const comparing_exception &) {
    compare("a catch block after a rethrow");
  }
}

// Terminate is called in the search phase, with all frames still there. The child's totals are
// its own: its exit code says whether all was well.
void run_terminate() {
  pid_t child = fork();
  if (child == 0) {
    std::set_terminate([] { _exit(ms_compare_here("std::terminate") ? 0 : 1); });
    [](int depth) noexcept { throw_through(depth); }(1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  if (status != 0) ms_comparison_failed("std::terminate");
}

void run_new_handler() {
  std::set_new_handler([] {
    compare("a new handler");
    throw std::bad_alloc();
  });
  try {
    volatile size_t size = PTRDIFF_MAX / 2;
    char *volatile room = new char[size];
    delete[] room;
  } catch (const std::bad_alloc &) {
    compare("after bad_alloc");
  }
  std::set_new_handler(nullptr);
}

struct base {
  virtual ~base() { compare("a virtual destructor"); }
};
struct derived : base {
  std::vector<comparing_guard> guards{{"a member's destructor"}};
};

void run_destructors() {
  base *object = new derived;
  delete object;
}

const ms_subject cpp_subjects[] = {
    {"std::sort", run_sort}, {"std::function", run_function}, {"std::map", run_map},
    {"std::ostream", run_stream}, {"std::call_once", run_call_once}, {"std::async", run_async},
    {"exception", run_exception}, {"rethrow", run_rethrow}, {"std::terminate", run_terminate},
    {"new handler", run_new_handler}, {"destructors", run_destructors},
};

}  // namespace

const ms_subject *ms_native_subjects(uint32_t *count) {
  static const std::vector<ms_subject> all = [] {
    std::vector<ms_subject> joined(ms_c_subjects, ms_c_subjects + ms_c_subject_count);
    joined.insert(joined.end(), std::begin(cpp_subjects), std::end(cpp_subjects));
    return joined;
  }();
  *count = static_cast<uint32_t>(all.size());
  return all.data();
}
