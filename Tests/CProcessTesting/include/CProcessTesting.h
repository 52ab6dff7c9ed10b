// Starts programs for tests. Whatever is opened here is inherited by no program but the one it is for,
// however many start at once.
#ifndef CPROCESSTESTING_H
#define CPROCESSTESTING_H

#include <sys/types.h>

/// A program that is to be started: in a process group of its own, which can be stopped or killed with the
/// children it forks; with no signal blocked or ignored, for the threads that run tests block most.
typedef struct {
  const char *program;  ///< a path, or a name in the search path
  char *const *arguments;
  char *const *environment;
  const char *directory;  ///< NULL: that of the caller
  int input;              ///< its standard input; -1: that of the caller
  int output;             ///< its standard output
  int errors;             ///< its standard error
} ms_child;

/// 0, or why it cannot be started.
int ms_child_start(const ms_child *child, pid_t *process);

/// What is written to `ends[1]` is read from `ends[0]`; 0, or why there is none.
int ms_child_pipe(int ends[2]);
/// The same by a socket, so that writing to it need not raise SIGPIPE.
int ms_child_socket(int ends[2]);
/// A file without a name; -1 if there is none.
int ms_child_file(void);

/// Gives this thread the signal that a virtual machine gives now and then for a step; 0 if it could.
int ms_trap_without_a_cause(void);

/// Has the kernel refuse `mprotect` to this thread and its later ones, as a container's filter does; 0 if it could.
int ms_refuse_mprotect(void);

#endif
