#include "Throwing.h"

#include <execinfo.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdexcept>
#include <unistd.h>

namespace {

struct Mark {
  bool &mark;
  ~Mark() { mark = true; }
};

__attribute__((noinline)) void throw_below(bool &destroyed) {
  Mark mark{destroyed};
  throw std::runtime_error("thrown on purpose");
}

struct Cancelled {
  sem_t inside;
  bool destroyed = false;
};

void *wait_for_cancellation(void *argument) {
  auto *state = static_cast<Cancelled *>(argument);
  Mark mark{state->destroyed};
  sem_post(&state->inside);
  for (;;) pause();
}

}  // namespace

bool client_throw_and_catch(void) {
  bool destroyed = false;
  try {
    throw_below(destroyed);
  } catch (const std::runtime_error &) {
    return destroyed;
  }
  return false;
}

bool client_cancel_through_cxx(void) {
  Cancelled state;
  sem_init(&state.inside, 0, 0);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, wait_for_cancellation, &state) != 0) return false;
  sem_wait(&state.inside);
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  sem_destroy(&state.inside);
  return state.destroyed;
}

int client_backtrace(void) {
  void *frames[32];
  return backtrace(frames, 32);
}
