// Lets the copies of this library in a process find each other's handlers: a service and its plugin may each contain
// one.
//
// Copies share no state, and their symbols may be hidden. Therefore a marker precedes the handler's first
// instruction.

#include <errno.h>
#include <string.h>

#include "dispositions.h"

#define MS_COPY_MAGIC "mainstay-signal1"

typedef struct {
  char magic[16];
  int64_t found;  // the function that returns the found disposition of a signal, relative to this field
} copy_mark;

_Static_assert(sizeof(copy_mark) == 24, "the mark is as long as the one below");

__asm__(".pushsection .text.ms_signal_entry, \"ax\", %progbits\n"
        ".globl ms_signal_entry\n"
        ".hidden ms_signal_entry\n"
        ".type ms_signal_entry, %function\n"
        ".p2align 5\n"
        ".skip 8\n"
        ".ascii \"" MS_COPY_MAGIC "\"\n"
        ".8byte ms_signal_found - .\n"
        "ms_signal_entry:\n"
#if defined(__x86_64__)
        "leaq 8(%rsp), %rcx\n\tjmp ms_signal_arrived\n"
#elif defined(__aarch64__)
        "mov x3, sp\n\tb ms_signal_arrived\n"
#endif
        ".size ms_signal_entry, . - ms_signal_entry\n"
        ".popsection");

bool ms_find_behind_copy(int signal, struct sigaction *now) {
  if (!(now->sa_flags & SA_SIGINFO)) return false;
  const uint8_t *entry = (const uint8_t *)now->sa_sigaction;
  const copy_mark *mark = (const copy_mark *)(entry - sizeof *mark);
  // The operation is invalid, but the kernel reads the mask first: the error shows whether the marker is readable.
  enum { no_operation = -1 };
  for (const uint8_t *at = (const uint8_t *)mark; at < entry; at += sizeof(ms_mask)) {
    if (syscall(SYS_rt_sigprocmask, no_operation, at, NULL, sizeof(ms_mask)) == 0 || errno != EINVAL) {
      return false;
    }
  }
  if (memcmp(mark->magic, MS_COPY_MAGIC, sizeof mark->magic) != 0) return false;
  const struct sigaction *(*found)(int) =
      (const struct sigaction *(*)(int))((uintptr_t)&mark->found + (uintptr_t)mark->found);
  *now = *found(signal);
  return true;
}
