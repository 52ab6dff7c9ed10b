#include "CInterleaving.h"

#include "CTestProcess.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DEFERS_SIGNALS 1
#endif
#endif

struct ms_interleaving {
  uint32_t instructions, own_instructions;
  uint32_t counted, own_counted;
  uint32_t nanoseconds;
  sigset_t mask;
  /// The threads of the two calls; 0 before a call begins.
  _Atomic(int) first, second;
  /// 1 once the first call is stopped or has ended, and once the second call has ended.
  _Atomic(uint32_t) first_stands, second_ended;
};

/// The pair whose first call runs on this thread; NULL once that call has been stopped.
static __thread ms_interleaving *running;

int32_t ms_own_thread(void) { return (int32_t)syscall(SYS_gettid); }

static char state_of(int32_t thread) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  // The thread's name is in parentheses, and may contain parentheses.
  for (ssize_t i = size - 3; i > 0; i--) {
    if (text[i] == ')') return text[i + 2];
  }
  return 0;
}

bool ms_thread_waits(int32_t thread) { return state_of(thread) == 'S'; }

bool ms_process_rests(void) {
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return true;
  int32_t own = ms_own_thread();
  bool rests = true;
  for (struct dirent *entry; rests && (entry = readdir(threads)) != NULL;) {
    int32_t thread = atoi(entry->d_name);
    char state = thread > 0 && thread != own ? state_of(thread) : 0;
    rests = state != 'R' && state != 'D';
  }
  closedir(threads);
  return rests;
}

static void set(_Atomic(uint32_t) *flag) {
  atomic_store(flag, 1);
  syscall(SYS_futex, flag, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// Waits for a flag that the other thread sets. Gives up if the other thread is blocked, because it
// may be waiting for this thread. The limit of 0.5 s exceeds the duration of any relevant call.
static void await(_Atomic(uint32_t) *flag, _Atomic(int) *other) {
  struct timespec millisecond = {0, 1000000};
  int seen_waiting = 0;
  for (int i = 0; i < 500 && !atomic_load(flag); i++) {
    syscall(SYS_futex, flag, FUTEX_WAIT_PRIVATE, 0, &millisecond, NULL, 0);
    if (atomic_load(flag)) return;
    int thread = atomic_load(other);
    seen_waiting = thread != 0 && ms_thread_waits(thread) ? seen_waiting + 1 : 0;
    if (seen_waiting == 3) return;
  }
}

#if defined(__x86_64__) && !defined(DEFERS_SIGNALS)

enum { TRAP_FLAG = 0x100 };

static struct sigaction previous;

/// The address range of the program's own code.
static uintptr_t own_start, own_end;

// True if the next instruction is a system call that creates, ends or signals threads or processes,
// or changes signal masks or handlers: a blocked SIGTRAP would end the process.
static bool must_not_be_counted(const greg_t *registers) {
  const uint8_t *next = (const uint8_t *)registers[REG_RIP];
  if (next[0] != 0x0f || next[1] != 0x05) return false;
  switch (registers[REG_RAX]) {
    case SYS_rt_sigprocmask:
    case SYS_rt_sigaction:
    case SYS_rt_sigreturn:
    case SYS_rt_sigsuspend:
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_execveat:
    case SYS_exit:
    case SYS_exit_group:
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
      return true;
    default:
      return false;
  }
}

// True if the trap is a single step. On a virtual machine, a few steps in a million arrive as
// TRAP_BRKPT. A breakpoint in the code arrives with another code, SI_KERNEL.
static bool is_step(const siginfo_t *info, const greg_t *registers) {
  return info->si_code == TRAP_TRACE ||
         (info->si_code == TRAP_BRKPT && (registers[REG_EFL] & TRAP_FLAG));
}

static void stand(ms_interleaving *calls) {
  running = NULL;
  set(&calls->first_stands);
  await(&calls->second_ended, &calls->second);
}

static void stop(int signal, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  int error = errno;
  ms_interleaving *calls = running;
  if (info->si_code == SI_TKILL) {
    if (calls != NULL && calls->instructions == 0) stand(calls);
  } else if (!is_step(info, registers)) {
    // Not a single step: restore the previous handler, which receives the trap when it is raised
    // again.
    sigaction(signal, &previous, NULL);
  } else if (calls == NULL) {
    registers[REG_EFL] &= ~TRAP_FLAG;
  } else {
    uintptr_t next = (uintptr_t)registers[REG_RIP];
    bool is_own = next >= own_start && next < own_end;
    calls->counted += 1;
    calls->own_counted += is_own;
    bool is_place = calls->counted >= calls->instructions ||
                    (is_own && calls->own_counted == calls->own_instructions);
    if (is_place || must_not_be_counted(registers)) {
      registers[REG_EFL] &= ~TRAP_FLAG;
      stand(calls);
    }
  }
  errno = error;
}

static void install(void) {
  // The loader lists the program first.
  ms_loaded_module program;
  if (ms_copy_loaded_modules(&program, 1) > 0) {
    own_start = program.text_start;
    own_end = program.text_end;
    free(program.path);
  }
  struct sigaction action = {.sa_sigaction = stop, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGTRAP, &action, &previous);
}

static bool is_traced(void) {
  char text[2048];
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return true;
  text[size] = 0;
  int tracer = 0;
  for (const char *line = text; line != NULL; line = line[0] ? line + 1 : NULL) {
    if (sscanf(line, "TracerPid: %d", &tracer) == 1) break;
    while (line[0] && line[0] != '\n') line++;
  }
  return tracer != 0;
}

// A debugger would intercept the traps.
bool ms_can_interleave(void) { return !is_traced(); }

// The compiler may use the 128 bytes below the stack pointer (red zone).
#define change_flags(how)                                                                   \
  __asm__ volatile("leaq -128(%%rsp), %%rsp; pushfq; " how "; popfq; leaq 128(%%rsp), %%rsp" \
                   ::: "memory", "cc")

static void start(ms_interleaving *calls) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  sigset_t trap;
  sigemptyset(&trap);
  sigaddset(&trap, SIGTRAP);
  pthread_sigmask(SIG_UNBLOCK, &trap, &calls->mask);
  running = calls;
  atomic_store(&calls->first, ms_own_thread());
  if (calls->instructions > 0) change_flags("orq $0x100, (%%rsp)");
}

static void end(ms_interleaving *calls) {
  if (calls->instructions > 0) change_flags("andq $~0x100, (%%rsp)");
  running = NULL;
  pthread_sigmask(SIG_SETMASK, &calls->mask, NULL);
}

static bool is_counting(void) {
  uint64_t flags;
  __asm__ volatile("leaq -128(%%rsp), %%rsp; pushfq; popq %0; leaq 128(%%rsp), %%rsp"
                   : "=r"(flags)::"memory", "cc");
  return flags & TRAP_FLAG;
}

bool ms_interleaving_pause(void) {
  if (running == NULL || !is_counting()) return false;
  change_flags("andq $~0x100, (%%rsp)");
  return true;
}

void ms_interleaving_go_on(bool paused) {
  if (paused) change_flags("orq $0x100, (%%rsp)");
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void stop_in_time(ms_interleaving *calls) {
  for (uint64_t due = now() + calls->nanoseconds; now() < due;) {
    if (atomic_load(&calls->first_stands)) return;
  }
  syscall(SYS_tgkill, getpid(), atomic_load(&calls->first), SIGTRAP);
}

#else

bool ms_can_interleave(void) { return false; }

static void start(ms_interleaving *calls) { set(&calls->first_stands); }

static void end(ms_interleaving *calls) { (void)calls; }

bool ms_interleaving_pause(void) { return false; }

void ms_interleaving_go_on(bool paused) { (void)paused; }

static void stop_in_time(ms_interleaving *calls) { (void)calls; }

#endif

ms_interleaving *ms_interleaving_create(uint32_t instructions, uint32_t own_instructions,
                                        uint32_t nanoseconds) {
  ms_interleaving *calls = calloc(1, sizeof *calls);
  if (calls == NULL) abort();
  calls->instructions = instructions;
  calls->own_instructions = own_instructions;
  calls->nanoseconds = nanoseconds;
  return calls;
}

void ms_interleaving_destroy(ms_interleaving *calls) { free(calls); }

uint32_t ms_interleaving_counted(const ms_interleaving *calls) { return calls->counted; }

uint32_t ms_interleaving_own_counted(const ms_interleaving *calls) { return calls->own_counted; }

void ms_interleaving_begin_first(ms_interleaving *calls) { start(calls); }

void ms_interleaving_end_first(ms_interleaving *calls) {
  end(calls);
  set(&calls->first_stands);
}

void ms_interleaving_begin_second(ms_interleaving *calls) {
  atomic_store(&calls->second, ms_own_thread());
  if (calls->instructions == 0) {
    // The second call may start late, while the first call is already running.
    for (int i = 0; i < 1000000 && atomic_load(&calls->first) == 0; i++) sched_yield();
    if (atomic_load(&calls->first) != 0) stop_in_time(calls);
  }
  await(&calls->first_stands, &calls->first);
}

void ms_interleaving_end_second(ms_interleaving *calls) { set(&calls->second_ended); }
