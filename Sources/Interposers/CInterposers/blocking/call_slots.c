#include "call_slots.h"

#include <asm/unistd.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include "CRecorder.h"

ms_call_slot ms_call_slots[MS_SLOTS];
_Atomic uint32_t ms_call_slots_used;
__thread ms_call_slot *ms_own_call_slot __attribute__((tls_model("initial-exec")));

/// A substitute for threads without a slot in `ms_call_slots`.
static __thread ms_call_slot spare __attribute__((tls_model("initial-exec")));

// The number of keys that glibc stores in the thread itself; more keys need an allocation.
enum { keys_in_thread = 32 };
static pthread_key_t key;
static _Atomic bool has_key;
static bool has_barrier;

/// A page that the kernel zeroes in a forked child, because the watching thread does not exist in the child. A child
/// of `vfork` shares the memory and sees the page unchanged.
static _Atomic uint32_t *is_looking_process;

long ms_ask_kernel(long number, long a, long b, long c, long d) {
#if defined(__x86_64__)
  long result;
  register long fourth __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long eighth __asm__("x8") = number, first __asm__("x0") = a, second __asm__("x1") = b;
  register long third __asm__("x2") = c, fourth __asm__("x3") = d;
  __asm__ volatile("svc 0" : "+r"(first) : "r"(eighth), "r"(second), "r"(third), "r"(fourth) : "memory");
  return first;
#else
#error "How this architecture asks the kernel is not known."
#endif
}

static long barrier(int command) { return ms_ask_kernel(__NR_membarrier, command, 0, 0, 0); }

/// Frees the slot of a thread that ends. The thread may have left a call by cancellation or a long jump.
static void give_back(void *context) {
  ms_call_slot *slot = context;
  ms_own_call_slot = &spare;
  atomic_store(&slot->call, NULL);
  ms_call_slot_rests(slot);
  atomic_store(&slot->thread, 0);
}

static bool is_looked_at_here(void) { return is_looking_process && atomic_load(is_looking_process); }

static bool mark_process(void) {
  enum { size = 1 };  // the kernel rounds up to a page
  void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  if (madvise(page, size, MADV_WIPEONFORK) != 0) {
    munmap(page, size);
    return false;
  }
  is_looking_process = page;
  atomic_store(is_looking_process, 1);
  return true;
}

void ms_call_slots_start(void) {
  static bool is_started;
  if (is_started) return;
  is_started = true;
  has_barrier = mark_process() && barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
  if (pthread_key_create(&key, give_back) != 0) return;
  if (key < keys_in_thread) atomic_store(&has_key, true);
}

bool ms_call_slot_take(void) {
  if (!atomic_load(&has_key)) return false;
  uint32_t thread = ms_thread_id_anew();
  ms_own_call_slot = &spare;
  for (uint32_t i = 0; i < MS_SLOTS; i++) {
    uint32_t nobody = 0;
    if (atomic_load_explicit(&ms_call_slots[i].thread, memory_order_relaxed) != 0) continue;
    if (!atomic_compare_exchange_strong(&ms_call_slots[i].thread, &nobody, thread)) continue;
    ms_call_slots[i].self = (uintptr_t)__builtin_thread_pointer();
    uint32_t used = atomic_load(&ms_call_slots_used);
    while (used <= i && !atomic_compare_exchange_weak(&ms_call_slots_used, &used, i + 1)) continue;
    if (pthread_setspecific(key, &ms_call_slots[i]) == 0) ms_own_call_slot = &ms_call_slots[i];
    break;
  }
  return true;
}

void ms_call_slot_rests(ms_call_slot *slot) {
  struct timespec some = {0, 1000000};
  // A forked child may inherit a slot that was held in the parent.
  if (!is_looked_at_here()) atomic_store(&slot->is_looked_at, 0);
  while (atomic_load(&slot->is_looked_at)) {
    ms_ask_kernel(__NR_futex, (long)&slot->is_looked_at, FUTEX_WAIT_PRIVATE, 1, (long)&some);
  }
}

bool ms_call_slot_hold(ms_call_slot *slot, uint64_t began) {
  if (!has_barrier || !is_looked_at_here()) return false;
  atomic_store(&slot->is_looked_at, 1);
  // After the barrier, either this thread sees that the call has ended, or the other thread sees that its slot is
  // held.
  bool holds = barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0 && atomic_load(&slot->call) != NULL &&
               atomic_load(&slot->began) == began;
  if (!holds) ms_call_slot_let_go(slot);
  return holds;
}

void ms_call_slot_let_go(ms_call_slot *slot) {
  atomic_store(&slot->is_looked_at, 0);
  ms_ask_kernel(__NR_futex, (long)&slot->is_looked_at, FUTEX_WAKE_PRIVATE, 1, 0);
}
