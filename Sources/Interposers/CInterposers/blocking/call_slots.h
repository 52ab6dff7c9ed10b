// The current wait of each thread, which the watching thread inspects.
#ifndef MAINSTAY_CALL_SLOTS_H
#define MAINSTAY_CALL_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The slot of a thread, which other threads read.
typedef struct {
  const char *_Atomic call;          // NULL: not in a call
  _Atomic uint64_t began;            // start of the call, in ticks
  _Atomic uintptr_t frame;           // frame of the interposed function
  _Atomic uintptr_t caller;          // return address of the interposed function
  _Atomic uint32_t kind;             // ms_call_kind, and whether the thread runs a task
  _Atomic uint32_t is_looked_at;     // the thread must not return while this is set
  const char *_Atomic label;         // label of the thread's queue, if only the thread can read it
  _Atomic uint32_t thread;           // kernel id; 0: the slot is free
  uintptr_t self;                    // thread pointer
#if defined(__aarch64__)
  _Atomic uintptr_t code;            // an address in the interposed function at which `frame` is valid
#endif
} __attribute__((aligned(64))) ms_call_slot;

enum { MS_SLOTS = 1024 };
extern ms_call_slot ms_call_slots[MS_SLOTS] __attribute__((visibility("hidden")));

/// The number of slots that were ever used.
extern _Atomic uint32_t ms_call_slots_used __attribute__((visibility("hidden")));

/// The slot of this thread; NULL before the first call, or if slots are unavailable.
extern __thread ms_call_slot *ms_own_call_slot __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// Makes a system call without the C library, whose `syscall` is interposed. Signal safety: safe.
long ms_ask_kernel(long number, long a, long b, long c, long d);

/// Starts to assign slots to threads, if possible. Not signal-safe.
void ms_call_slots_start(void);

/// Assigns a slot to this thread, or a shared slot that is not watched if all are taken. Returns false before
/// `ms_call_slots_start`. Signal safety: safe.
bool ms_call_slot_take(void);

/// Waits until no other thread holds this thread's slot. Preserves errno. Signal safety: safe.
void ms_call_slot_rests(ms_call_slot *slot);

/// Keeps a thread in the call that began at `began`. Returns false if the thread has left the call or cannot be held.
bool ms_call_slot_hold(ms_call_slot *slot, uint64_t began);
void ms_call_slot_let_go(ms_call_slot *slot);

#endif
