// Switches from the alternate stack to the interrupted one, for hosts whose handlers expect to run there.
#ifndef MAINSTAY_INTERRUPTED_STACK_H
#define MAINSTAY_INTERRUPTED_STACK_H

#include <signal.h>
#include <stdint.h>

/// The continuation of a handler: its arguments, moved to another stack.
typedef struct {
  uintptr_t stack;  ///< the stack pointer; 0: the signal frame cannot be moved
  uintptr_t frame_pointer;
  siginfo_t *info;
  void *context;
} ms_moved_frame;

/// Returns the canonical frame address of a handler that the kernel called with these arguments. Signal safety: safe.
static inline const void *ms_frame_end(const siginfo_t *info, const void *context) {
#if defined(__x86_64__)
  (void)info;
  return context;  // the return address is directly below
#elif defined(__aarch64__)
  (void)context;
  return info;
#endif
}

/// Copies the kernel's signal frame to the interrupted stack, as the kernel would have placed it without
/// `SA_ONSTACK`. Moves nothing if the interrupted stack has no room (a stack overflow), or if the layout is unknown.
/// The kernel itself must have called the handler. Signal safety: safe.
ms_moved_frame ms_move_frame(siginfo_t *info, void *context);

/// Jumps to `handler` on the stack of `to`. The handler does not return here: it returns to the kernel through
/// `return_address`, the return address of the function that the kernel called.
__attribute__((always_inline, noreturn)) static inline void ms_go_on_at(
    ms_moved_frame to, void (*handler)(int, siginfo_t *, void *), int signal, void *return_address) {
#if defined(__x86_64__)
  (void)return_address;  // moved with the frame
  __asm__ volatile("movq %0, %%rsp\n\tjmpq *%1"
                   :: "r"(to.stack), "r"(handler), "D"((long)signal), "S"(to.info), "d"(to.context)
                   : "memory");
#elif defined(__aarch64__)
  register long first __asm__("x0") = signal;
  register siginfo_t *second __asm__("x1") = to.info;
  register void *third __asm__("x2") = to.context;
  register void *link __asm__("x30") = return_address;
  register void (*target)(int, siginfo_t *, void *) __asm__("x16") = handler;
  __asm__ volatile("mov sp, %0\n\tmov x29, %1\n\tbr %2"
                   :: "r"(to.stack), "r"(to.frame_pointer), "r"(target), "r"(first), "r"(second),
                      "r"(third), "r"(link)
                   : "memory");
#endif
  __builtin_unreachable();
}

#endif
