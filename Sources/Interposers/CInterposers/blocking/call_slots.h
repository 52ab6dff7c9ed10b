// The current wait of each thread, for the thread that looks at it meanwhile.
#ifndef MAINSTAY_CALL_SLOTS_H
#define MAINSTAY_CALL_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A thread's own; another thread reads it.
typedef struct {
  const char *_Atomic call;          // NULL: it is in none
  _Atomic uint64_t began;            // in ticks
  _Atomic uintptr_t frame;           // of the function of ours that it is in
  _Atomic uintptr_t caller;          // where that returns to
  _Atomic uint32_t kind;             // ms_call_kind, and what is known of its task
  _Atomic uint32_t is_looked_at;     // it may not return while it is
  const char *_Atomic label;         // of its queue, where only the thread itself can tell
  _Atomic uint32_t thread;           // the kernel's id; 0: nobody's
  uintptr_t self;                    // its thread pointer
#if defined(__aarch64__)
  _Atomic uintptr_t code;            // an address in that function where `frame` holds
#endif
} __attribute__((aligned(64))) ms_call_slot;

enum { MS_SLOTS = 1024 };
extern ms_call_slot ms_call_slots[MS_SLOTS] __attribute__((visibility("hidden")));

/// How many of them were ever used.
extern _Atomic uint32_t ms_call_slots_used __attribute__((visibility("hidden")));

/// This thread's; NULL: it has none yet, or there are none.
extern __thread ms_call_slot *ms_own_call_slot __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// Makes a system call without the C library, whose `syscall` is one of ours. Signal safety: safe.
long ms_ask_kernel(long number, long a, long b, long c, long d);

/// Has threads have slots from now on, if that can be done. Not signal-safe.
void ms_call_slots_start(void);

/// Gives this thread a slot; false if it can have none. Signal safety: safe.
bool ms_call_slot_take(void);

/// Waits until this thread's slot is not being looked at. Keeps errno. Signal safety: safe.
void ms_call_slot_rests(ms_call_slot *slot);

/// Has the thread stay in the call that it was in at `began`; false if it is in it no more, or cannot be kept there.
bool ms_call_slot_hold(ms_call_slot *slot, uint64_t began);
void ms_call_slot_let_go(ms_call_slot *slot);

#endif
