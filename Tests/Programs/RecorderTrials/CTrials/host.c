// What hosts do to their signals, descriptors, limits and threads.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CTrials.h"

// --- Signals

void ms_trial_block_all_signals(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
}

int ms_trial_wait_for_own(int signal) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  kill(getpid(), signal);
  return sigtimedwait(&only, NULL, &(struct timespec){5, 0});
}

// --- Descriptors

enum { most_files = 64 };
static int files[most_files];
static const char contents[] = "a record of the host's own database";

void ms_trial_close_descriptors(int first) {
  for (int file = first; file < 256; file++) close(file);
}

static void name_file(char *name, size_t size, const char *path, int number) {
  snprintf(name, size, "%s.host%d", path, number);
}

void ms_trial_open_files(const char *path) {
  char name[4096];
  for (int i = 0; i < most_files; i++) {
    name_file(name, sizeof name, path, i);
    files[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (files[i] < 0 || write(files[i], contents, sizeof contents) != sizeof contents) abort();
    // Long enough to hold whatever somebody believes to stand there.
    if (ftruncate(files[i], 1 << 20) != 0) abort();
  }
}

int ms_trial_files_as_they_were(const char *path) {
  char name[4096], bytes[8192];
  int good = 0;
  for (int i = 0; i < most_files; i++) {
    name_file(name, sizeof name, path, i);
    struct stat open_file, named;
    memset(bytes, 1, sizeof bytes);
    bool same = fstat(files[i], &open_file) == 0 && stat(name, &named) == 0 &&
                open_file.st_ino == named.st_ino &&
                pread(files[i], bytes, sizeof bytes, 0) == sizeof bytes &&
                memcmp(bytes, contents, sizeof contents) == 0;
    for (size_t at = sizeof contents; same && at < sizeof bytes; at++) same = bytes[at] == 0;
    good += same;
    unlink(name);
  }
  return good == most_files;
}

int ms_trial_descriptors(void) {
  int open_files = 0;
  for (int file = 0; file < 1024; file++) open_files += fcntl(file, F_GETFD) >= 0;
  return open_files;
}

// --- Limits

static int impose(__typeof__(RLIMIT_FSIZE) what, unsigned long amount) {
  struct rlimit limit = {amount, amount};
  return setrlimit(what, &limit);
}

int ms_trial_limit_file_size(unsigned long bytes) { return impose(RLIMIT_FSIZE, bytes); }

/// A line of /proc/self/status, in kibibytes.
static long status_of(const char *name) {
  char line[256];
  long value = -1;
  FILE *file = fopen("/proc/self/status", "re");
  if (file == NULL) return -1;
  while (value < 0 && fgets(line, sizeof line, file)) {
    if (strncmp(line, name, strlen(name)) == 0) value = atol(line + strlen(name));
  }
  fclose(file);
  return value;
}

int ms_trial_limit_address_space(unsigned long more) {
  return impose(RLIMIT_AS, (unsigned long)status_of("VmSize:") * 1024 + more);
}

int ms_trial_lock_memory(void) { return mlockall(MCL_CURRENT | MCL_FUTURE); }

long ms_trial_locked_kibibytes(void) { return status_of("VmLck:"); }

// --- Threads

static void *run_cancelled(void *body) {
  pthread_cancel(pthread_self());  // acts at the first cancellation point
  ((void (*)(void))body)();
  pthread_testcancel();
  return NULL;
}

int ms_trial_run_cancelled(void (*body)(void)) {
  pthread_t thread;
  void *result;
  if (pthread_create(&thread, NULL, run_cancelled, (void *)body) != 0) abort();
  pthread_join(thread, &result);
  return result == PTHREAD_CANCELED;
}

static pthread_key_t rounds_key;

static void record_again(void *body) {
  ((void (*)(void))body)();
  pthread_setspecific(rounds_key, body);
}

static void *record_in_all_rounds(void *body) {
  record_again(body);
  return NULL;
}

void ms_trial_threads_with_destructors(int count, void (*body)(void)) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 * 1024);
  pthread_key_create(&rounds_key, record_again);
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    if (pthread_create(&thread, &small, record_in_all_rounds, (void *)body) != 0) abort();
    pthread_join(thread, NULL);
  }
  pthread_key_delete(rounds_key);
  pthread_attr_destroy(&small);
}
