// Captures, without a signal, the stack of a thread in a system call that a signal would interrupt.
//
// After a signal handler the kernel restarts most system calls (SA_RESTART). Waits for a time or for events fail with
// EINTR instead, which would shorten a sleep of the host.

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CRecorder.h"
#include "thread_list.h"
#include "watched_executors.h"

static bool read_file(uint32_t thread, const char *name, char *text, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%u/%s", thread, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t size = read(file, text, room - 1);
  close(file);
  text[size > 0 ? size : 0] = 0;
  return size > 0;
}

bool ms_thread_call(uint32_t thread, char text[MS_CALL_TEXT]) {
  return read_file(thread, "syscall", text, MS_CALL_TEXT);
}

bool ms_call_number(const char *call, long *number) { return sscanf(call, "%ld", number) == 1; }

bool ms_thread_name_of(uint32_t thread, char name[16]) {
  char text[32];
  if (!read_file(thread, "comm", text, sizeof text)) return false;
  snprintf(name, 16, "%.*s", (int)strcspn(text, "\n"), text);
  return true;
}

static bool is_one_of(const long *calls, size_t count, long call) {
  for (size_t i = 0; i < count; i++) {
    if (calls[i] == call) return true;
  }
  return false;
}

// Newer architectures lack the older calls, and older headers lack the newer ones.
static const long event_waits[] = {
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_select
    SYS_select,
#endif
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
#ifdef SYS_epoll_pwait2
    SYS_epoll_pwait2,
#endif
#ifdef SYS_io_uring_enter
    SYS_io_uring_enter,
#endif
    SYS_ppoll, SYS_pselect6, SYS_epoll_pwait};

bool ms_call_waits_for_events(long call) {
  return is_one_of(event_waits, sizeof event_waits / sizeof *event_waits, call);
}

/// True if a signal handler interrupts the call with EINTR, see signal(7).
static bool ends_by_signal(long call, unsigned long timeout_of_futex) {
  static const long others[] = {
#ifdef SYS_pause
      SYS_pause,
#endif
      SYS_nanosleep, SYS_clock_nanosleep, SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_semop,
      SYS_semtimedop, SYS_msgrcv, SYS_msgsnd, SYS_io_getevents};
  if (ms_call_waits_for_events(call) || is_one_of(others, sizeof others / sizeof *others, call)) return true;
  return call == SYS_futex && timeout_of_futex != 0;
}

/// Parses the number of a call, its fourth argument (the timeout of a futex), sp and pc.
static bool read_call(const char *text, unsigned long *call, unsigned long *timeout, unsigned long *sp,
                      unsigned long *pc) {
  return sscanf(text, "%lu %*x %*x %*x %lx %*x %*x %lx %lx", call, timeout, sp, pc) == 4;
}

bool ms_thread_wakes_itself(uint32_t thread) {
  char text[MS_CALL_TEXT];
  unsigned long call, timeout, sp, pc;
  return ms_thread_call(thread, text) && read_call(text, &call, &timeout, &sp, &pc) &&
         ends_by_signal((long)call, timeout);
}

bool ms_thread_look(uint32_t thread, ms_thread_sample *sample) {
  char before[MS_CALL_TEXT], after[MS_CALL_TEXT];
  unsigned long call, timeout, sp, pc;
  if (!ms_thread_call(thread, before)) return false;
  if (!read_call(before, &call, &timeout, &sp, &pc)) return false;
  if (!ends_by_signal((long)call, timeout)) return false;
  ms_walk_end end;
  sample->count = ms_walk_blocked(pc, sp, sample->frames, MS_FRAME_LIMIT, &end);
  sample->end = end;
  bool is_whole = sample->count > 0 && (end == MS_WALK_COMPLETE || end == MS_WALK_LIMIT);
  // If the thread has left the call meanwhile, the captured stack may mix two moments.
  if (!is_whole || !ms_thread_call(thread, after) || strcmp(before, after) != 0) return false;
  ms_thread_status status = ms_thread_status_of(thread, ms_asking_signal);
  snprintf(sample->name, sizeof sample->name, "%s", status.name);
  return true;
}
