// Declarations shared by the files that interpose the C library.
#ifndef MAINSTAY_CALLS_H
#define MAINSTAY_CALLS_H

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "CInterposers.h"
#include "CRecorder.h"
#include "clock.h"
#include "call_slots.h"

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// Sanitizers interpose the same functions.
#define MS_STANDS_IN_FRONT 0
#else
#define MS_STANDS_IN_FRONT 1
#endif

// Weak, so that a definition of the same name in the program takes precedence.
#define MS_IN_FRONT __attribute__((visibility("default"), weak))

/// The kind of a wait. A wait for events is no finding on an event loop.
typedef enum { MS_WAITS_FOR_ONE = 0, MS_WAITS_FOR_EVENTS = 1 } ms_call_kind;

/// A flag in a slot's kind: the thread runs a task.
enum { MS_SLOT_IN_TASK = 2 };

extern _Atomic uint64_t ms_blocking_ticks __attribute__((visibility("hidden")));  // UINT64_MAX: detection is off

/// Judges a call by its start and its end: the limit is `slices` times the threshold. `caller` is the call's return
/// address in the program. Preserves errno.
void ms_call_took(const char *call, ms_call_kind kind, uint64_t begin, uint64_t end, unsigned slices,
                  const void *caller);

/// The threshold in nanoseconds.
uint64_t ms_blocking_threshold(void);

/// True if this thread runs a task.
bool ms_runs_task(void);

static inline bool ms_is_asked(void) {
  return __builtin_expect(atomic_load_explicit(&ms_blocking_ticks, memory_order_relaxed) != UINT64_MAX, 1);
}

/// True if a call of this kind can be a finding on this thread. A wait for events can be a finding only in a task;
/// event loops pay no more than this check.
static inline bool ms_call_matters(ms_call_kind kind) {
  return ms_is_asked() && (kind == MS_WAITS_FOR_ONE || ms_runs_task());
}

/// The nesting depth of permissions: calls of this thread are allowed while the depth is not 0.
extern __thread uint32_t ms_allowed_here __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// True if the program's own runtime identifies the current executor, which `ms_call_slot_note_place` records.
extern bool ms_asks_program __attribute__((visibility("hidden")));
void ms_call_slot_note_place(ms_call_slot *slot);

__attribute__((always_inline)) static inline void ms_call_slot_note_frame(ms_call_slot *slot, uintptr_t frame) {
  atomic_store_explicit(&slot->frame, frame, memory_order_relaxed);
#if defined(__aarch64__)
  uintptr_t code;
  __asm__ volatile("adr %0, ." : "=r"(code) : "r"(frame));
  atomic_store_explicit(&slot->code, code, memory_order_relaxed);
#endif
}

static inline ms_waiting_frame ms_waiting_in(const ms_call_slot *slot) {
  ms_waiting_frame waiting = {.frame = atomic_load(&slot->frame)};
#if defined(__aarch64__)
  waiting.code = atomic_load(&slot->code);
#endif
  return waiting;
}

typedef struct {
  uint64_t begin, end;
  ms_call_slot *slot;
} ms_call;

/// Begins a measured call, which other threads may inspect while it waits.
__attribute__((always_inline)) static inline ms_call ms_call_begins(const char *name, ms_call_kind kind,
                                                                    const void *caller) {
  ms_call call = {ms_ticks(), 0, ms_own_call_slot};
  if (__builtin_expect(call.slot == NULL, 0)) call.slot = ms_call_slot_take() ? ms_own_call_slot : NULL;
  if (call.slot == NULL || ms_allowed_here) return (ms_call){call.begin, 0, NULL};
  atomic_store_explicit(&call.slot->began, call.begin, memory_order_relaxed);
  ms_call_slot_note_frame(call.slot, (uintptr_t)__builtin_frame_address(0));
  atomic_store_explicit(&call.slot->caller, (uintptr_t)caller, memory_order_relaxed);
  atomic_store_explicit(&call.slot->kind, kind, memory_order_relaxed);
  if (__builtin_expect(ms_asks_program, 0)) ms_call_slot_note_place(call.slot);
  atomic_store_explicit(&call.slot->call, name, memory_order_release);
  return call;
}

/// Ends a measured call; returns true if the call may have taken too long.
static inline bool ms_call_was_long(ms_call *call) {
  if (call->slot) {
    atomic_store_explicit(&call->slot->call, NULL, memory_order_relaxed);
    // The order matters to a reader that makes the kernel issue a barrier on this thread.
    atomic_signal_fence(memory_order_seq_cst);
    bool waits = atomic_load_explicit(&call->slot->is_looked_at, memory_order_relaxed);
    if (__builtin_expect(waits, 0)) ms_call_slot_rests(call->slot);
  }
  call->end = ms_ticks();
  uint64_t least = atomic_load_explicit(&ms_blocking_ticks, memory_order_relaxed);
  return __builtin_expect(call->end - call->begin >= least, 0);
}

/// The threshold's factor for locks: the owner of a lock may have lost the processor for some time slices, which is
/// no defect of the program.
enum { MS_SLICES_OF_A_LOCK = 4 };

/// Returns the real function, looked up at the first call: a constructor of another library may call an interposed
/// function before any constructor of ours has run.
static inline void *ms_real(_Atomic(void *) *known, const char *name) {
  void *real = atomic_load_explicit(known, memory_order_acquire);
  if (real != NULL) return real;
  int before = errno;
  real = dlsym(RTLD_NEXT, name);
  errno = before;
  atomic_store_explicit(known, real, memory_order_release);
  return real;
}

/// An interposed function. All real functions are looked up before `main`: later, the loader's lock may be held by a
/// thread that waits for the call.
typedef struct {
  const char *name;
  _Atomic(void *) *known;
} ms_real_function;

#define MS_REAL(name) \
  const void *caller = __builtin_return_address(0); \
  static _Atomic(void *) known_##name; \
  static const ms_real_function real_##name __attribute__((used, section("ms_reals"))) = {#name, &known_##name}; \
  __typeof__(&name) real = (__typeof__(&name))ms_real(&known_##name, #name)

/// Defines a function that calls and measures the real function. `shape` is the parameter list, `given` the
/// arguments. Reports a slow call if `counts`. When detection is off, tail-calls the real function.
#define MS_MEASURED_IF(counts, result, name, kind, shape, given) \
  MS_IN_FRONT result name shape { \
    MS_REAL(name); \
    if (!ms_call_matters(kind)) __attribute__((musttail)) return real given; \
    ms_call call = ms_call_begins(#name, kind, caller); \
    result value = real given; \
    if (ms_call_was_long(&call) && (counts)) ms_call_took(#name, kind, call.begin, call.end, 1, caller); \
    return value; \
  }

#define MS_MEASURED(result, name, kind, shape, given) MS_MEASURED_IF(true, result, name, kind, shape, given)

#endif
