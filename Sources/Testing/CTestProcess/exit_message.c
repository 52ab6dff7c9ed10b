#include "CLastWords.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic(const ms_dying_words *) last_words;
static _Atomic(size_t) last_step;

static const int signals[] = {
    SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGABRT,
#if defined(__aarch64__)
    SIGTRAP,  // the signal of a Swift trap on arm64
#endif
};
enum { SIGNALS = sizeof signals / sizeof *signals };
static struct sigaction before[SIGNALS];

static void say_bytes(const char *text, size_t size) {
  while (size > 0) {
    ssize_t written = write(STDERR_FILENO, text, size);
    if (written <= 0) return;
    text += written;
    size -= (size_t)written;
  }
}

static void say(const char *text) { say_bytes(text, strlen(text)); }

static void say_number(size_t number) {
  char digits[24];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  say_bytes(digits + at, sizeof digits - at);
}

static void speak(int signal, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  const ms_dying_words *words = atomic_exchange(&last_words, NULL);
  if (words != NULL) {
    size_t step = atomic_load(&last_step);
    say(words->before);
    if (words->between != NULL) {
      say_number(step + 1);
      say(words->between);
    }
    if (step < words->count) say_bytes(words->schedule, words->ends[step]);
    say(words->after);
  }
  // After return, the signal is raised again and reaches the previous handler.
  for (int i = 0; i < SIGNALS; i++) {
    if (signals[i] == signal) sigaction(signal, &before[i], NULL);
  }
  if (info->si_code <= 0) syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), signal);
  errno = error;
}

static void install(void) {
  struct sigaction action = {.sa_sigaction = speak, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < SIGNALS; i++) sigaction(signals[i], &action, &before[i]);
}

void ms_set_dying_words(const ms_dying_words *words) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (words != NULL) pthread_once(&once, install);
  atomic_store(&last_step, 0);
  atomic_store(&last_words, words);
}

void ms_set_dying_step(size_t step) { atomic_store(&last_step, step); }
