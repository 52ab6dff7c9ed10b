// Stops a process for a bounded time, and reads its threads' registers meanwhile.
#ifndef MS_PROCESS_STOP_H
#define MS_PROCESS_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// As many as aarch64 has in its general set; x86_64 has 27.
enum { MS_REGISTER_LIMIT = 34 };

/// A thread of the process. Its registers stand in the kernel's order, `struct user_regs_struct`.
typedef struct {
  int id;
  /// 0 if the thread stands still and its registers were read; else an `errno`: ESRCH for one that ended meanwhile, ETIMEDOUT
  /// for one that the kernel could not stop.
  int error;
  uint32_t register_count;
  uint64_t registers[MS_REGISTER_LIMIT];
  /// The address of the thread's own data; 0 if unknown.
  uint64_t thread_pointer;
} ms_stopped_thread;

typedef struct ms_process_stop ms_process_stop;

/// Stops all threads of a process by PTRACE_SEIZE, and returns once they stand still. After `budget` nanoseconds, or as soon
/// as this process dies, they run again: they keep every signal that reached them, and a process that was stopped before
/// stays stopped. Returns NULL and sets `errno` if no thread could be stopped.
ms_process_stop *ms_process_stop_begin(int process, uint64_t budget);

/// The threads, in the order in which the kernel lists them; valid until the stop is freed.
const ms_stopped_thread *ms_process_stop_threads(const ms_process_stop *stop, size_t *count);

/// Lets the process run, unless the time was over before; returns for how many nanoseconds it stood still.
uint64_t ms_process_stop_end(ms_process_stop *stop, bool *was_cut);

void ms_process_stop_free(ms_process_stop *stop);

#endif
