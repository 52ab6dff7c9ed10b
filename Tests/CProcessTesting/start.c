#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CProcessTesting.h"

static int set_up(const ms_child *child, posix_spawn_file_actions_t *actions) {
  int code = 0;
  if (child->input >= 0) code = posix_spawn_file_actions_adddup2(actions, child->input, STDIN_FILENO);
  if (code == 0) code = posix_spawn_file_actions_adddup2(actions, child->output, STDOUT_FILENO);
  if (code == 0) code = posix_spawn_file_actions_adddup2(actions, child->errors, STDERR_FILENO);
  if (code == 0 && child->directory) {
    code = posix_spawn_file_actions_addchdir_np(actions, child->directory);
  }
  return code;
}

static void make_ordinary(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setpgroup(attributes, 0);
  posix_spawnattr_setflags(
      attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

int ms_child_start(const ms_child *child, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  make_ordinary(&attributes);
  int code = set_up(child, &actions);
  if (code == 0) {
    code = posix_spawnp(process, child->program, &actions, &attributes, child->arguments,
                        child->environment);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

int ms_child_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

int ms_child_socket(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
}

int ms_child_file(void) { return memfd_create("errors", MFD_CLOEXEC); }
