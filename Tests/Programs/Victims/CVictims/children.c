// Children that die, or are started, while the victim has a handler.

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CVictims.h"

extern char **environ;

static volatile int sink;
static volatile int zero;

static void fail(const char *what) {
  printf("%s\n", what);
  fflush(stdout);
  _exit(1);
}

static int status_of(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) fail("no such child");
  return status;
}

/// Runs a shell script in a child of `posix_spawn`, which writes to `output` unless that is -1.
static pid_t spawn_shell(const char *script, int output) {
  char *arguments[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child;
  if (posix_spawn(&child, "/bin/sh", &actions, NULL, arguments, environ) != 0) fail("no child");
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

static unsigned long long mask_in(const char *status, const char *name) {
  const char *found = strstr(status, name);
  if (found == NULL) fail(name);
  return strtoull(found + strlen(name), NULL, 16);
}

/// A child of `posix_spawn` blocks, ignores and handles none of the signals that mean a crash, nor
/// the one that threads are asked by.
static void check_dispositions(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("no pipe");
  pid_t child = spawn_shell("exec cat /proc/self/status", ends[1]);
  close(ends[1]);
  char status[8192];
  size_t size = 0;
  for (ssize_t got; (got = read(ends[0], status + size, sizeof status - 1 - size)) > 0;) {
    size += (size_t)got;
  }
  close(ends[0]);
  status[size] = 0;
  if (status_of(child) != 0) fail("the child did not end well");
  static const int ours[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE,
                             SIGABRT, SIGSYS, SIGQUIT, SIGPROF};
  unsigned long long changed = mask_in(status, "SigBlk:") | mask_in(status, "SigIgn:") |
                               mask_in(status, "SigCgt:");
  for (unsigned i = 0; i < sizeof ours / sizeof *ours; i++) {
    if (changed >> (ours[i] - 1) & 1) fail("a disposition reached the child");
  }
}

void spawn_a_victim(void) {
  check_dispositions();
  int status = status_of(spawn_shell("kill -SEGV $$", -1));
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV) fail("the child did not die of its own");
}

/// The child has this process's memory, and this thread waits meanwhile.
static pid_t crash_in_shared_memory(void) {
  pid_t child = vfork();
  if (child == 0) {
    sink = *(volatile int *)(uintptr_t)zero;
    _exit(0);
  }
  return child;
}

void vfork_a_victim(void) {
  int status = status_of(crash_in_shared_memory());
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV) fail("the child did not die of its own");
}

/// Until its child is gone, not even a signal reaches a thread that is in `vfork`.
static void *be_silent(void *started) {
  pthread_setname_np(pthread_self(), "silent");
  pid_t child = vfork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    __atomic_store_n((int *)started, 1, __ATOMIC_RELEASE);
    sleep(60);
    _exit(0);
  }
  return NULL;
}

void block_questions(void) {
  sigset_t asked;
  sigemptyset(&asked);
  sigaddset(&asked, SIGPROF);
  pthread_sigmask(SIG_BLOCK, &asked, NULL);
}

void start_silent_thread(void) {
  static int started;
  pthread_t thread;
  if (pthread_create(&thread, NULL, be_silent, &started) != 0) fail("no thread");
  while (!__atomic_load_n(&started, __ATOMIC_ACQUIRE)) usleep(1000);
}

void use_up_memory(void) {
  enum { piece = 1 << 20, pieces = 1024 };
  for (int i = 0; i < pieces; i++) {
    void *volatile block = malloc(piece);
    if (block) memset(block, i + 1, piece);
  }
}
