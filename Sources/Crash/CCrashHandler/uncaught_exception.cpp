// Records the type and text of the exception that terminates a thread, while the exception still exists.

#include <atomic>
#include <cxxabi.h>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <typeinfo>

extern "C" {
void ms_uncaught_begin(void);
void ms_uncaught_end(void);
const char *ms_uncaught_type(void);
const char *ms_uncaught_text(void);
}

namespace {

constexpr size_t text_limit = 1024;  // MS_CRASH_TEXT_LIMIT

// Not thread-local, because static TLS takes space in every program that loads this library later. A few entries
// suffice: further threads that die of exceptions at the same time add no information.
constexpr unsigned text_count = 4;
char texts[text_count][text_limit];
std::atomic<unsigned> texts_taken;

// Initial-exec, because signal handlers read these variables and must not allocate thread-local memory.
#define MS_EARLY thread_local __attribute__((tls_model("initial-exec")))
MS_EARLY const char *noted_type;
MS_EARLY const char *noted_text;
std::terminate_handler previous = std::abort;

void note_exception() noexcept {
  const std::type_info *thrown = abi::__cxa_current_exception_type();
  if (thrown == nullptr) return;
  noted_type = thrown->name();
  try {
    throw;
  } catch (const std::exception &exception) {
    unsigned taken = texts_taken.fetch_add(1);
    if (taken >= text_count) return;
    std::strncpy(texts[taken], exception.what(), text_limit - 1);
    noted_text = texts[taken];
  } catch (...) {
  }
}

/// Tail-calls the previous handler, so that stacks contain no frame of ours.
void on_terminate() {
  note_exception();
  [[clang::musttail]] return previous();
}

}  // namespace

void ms_uncaught_begin(void) {
  if (std::get_terminate() != on_terminate) previous = std::set_terminate(on_terminate);
}

/// Restores the previous handler. A handler that was set after ours stays, and may continue to call ours.
void ms_uncaught_end(void) {
  if (std::get_terminate() == on_terminate) std::set_terminate(previous);
}

const char *ms_uncaught_type(void) { return noted_type; }
const char *ms_uncaught_text(void) { return noted_text; }
