// Stops a process for a bounded time and reads its threads' registers.
#ifndef MS_PROCESS_STOP_H
#define MS_PROCESS_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The number of general registers on aarch64; x86_64 has 27.
enum { MS_REGISTER_LIMIT = 34 };

/// A thread of the process. The registers are in the kernel's order, `struct user_regs_struct`.
typedef struct {
  int id;
  /// 0 if the thread is stopped and its registers were read; otherwise an `errno`: ESRCH if the
  /// thread ended, ETIMEDOUT if the thread did not stop in time.
  int error;
  uint32_t register_count;
  uint64_t registers[MS_REGISTER_LIMIT];
  /// The thread pointer; 0 if unknown.
  uint64_t thread_pointer;
} ms_stopped_thread;

typedef struct ms_process_stop ms_process_stop;

/// Stops all threads of a process by PTRACE_SEIZE, and returns once they are stopped. The threads
/// continue before `budget` nanoseconds are over, or as soon as this process dies. They keep every
/// signal that reached them, and a process that was stopped before stays stopped. Threads that
/// do not stop within two thirds of the budget, and within 60 ms, keep running. Returns NULL
/// and sets `errno` if no thread could be stopped.
///
/// The tracer uses a real-time policy if CAP_SYS_NICE permits it. Otherwise a busy machine may delay
/// the end of the stop.
ms_process_stop *ms_process_stop_begin(int process, uint64_t budget);

/// The threads, in the kernel's order; valid until the stop is freed.
const ms_stopped_thread *ms_process_stop_threads(const ms_process_stop *stop, size_t *count);

/// Resumes the process, unless the budget ended the stop before; returns the duration of the stop
/// in nanoseconds. Sets `was_cut` if the budget ended the stop, or left threads running.
uint64_t ms_process_stop_end(ms_process_stop *stop, bool *was_cut);

void ms_process_stop_free(ms_process_stop *stop);

#endif
