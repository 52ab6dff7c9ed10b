#include "CWalkPeers.h"

// The frames themselves are written out, for the compiler decides otherwise what keeps a pointer.
// A frame's caller gives it a list of functions to call; the last of them calls the body.
typedef struct {
  void (*next)(void *chain);
  void *rest;
} link;

void bench_frame_with_pointer(void *chain);
void bench_frame_without_pointer(void *chain);
extern void (*const bench_many_with_pointer[])(void *);
extern void (*const bench_many_without_pointer[])(void *);

#define CALL_NEXT "mov 8(%rdi), %rax\nmov (%rdi), %rdx\nmov %rax, %rdi\ncall *%rdx\n"
#define WITH_POINTER                                                                  \
  ".cfi_startproc\npush %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"        \
  "mov %rsp, %rbp\n.cfi_def_cfa_register %rbp\nsub $32, %rsp\n" CALL_NEXT             \
  "leave\n.cfi_def_cfa %rsp, 8\nret\n.cfi_endproc\n"
#define WITHOUT_POINTER                                                               \
  ".cfi_startproc\nsub $40, %rsp\n.cfi_def_cfa_offset 48\n" CALL_NEXT                 \
  "add $40, %rsp\n.cfi_def_cfa_offset 8\nret\n.cfi_endproc\n"

// 4,096 functions in a row, of uneven sizes as in life, and a list of them.
#define MANY(name, body)                                                              \
  ".pushsection .data.rel.ro, \"aw\"\n.balign 8\n.globl " name "\n" name ":\n.popsection\n" \
  ".set size, 1\n.rept 4096\n.set size, (size * 75 + 74) % 65537\n"                   \
  ".skip size % 256, 0x90\n.balign 16\n1:\n"                                          \
  ".pushsection .data.rel.ro, \"aw\"\n.quad 1b\n.popsection\n" body ".endr\n"

__asm__(
    ".text\n.globl bench_frame_with_pointer\nbench_frame_with_pointer:\n" WITH_POINTER
    ".globl bench_frame_without_pointer\nbench_frame_without_pointer:\n" WITHOUT_POINTER
    MANY("bench_many_with_pointer", WITH_POINTER)
    MANY("bench_many_without_pointer", WITHOUT_POINTER));

enum { deepest = 64 };

static void descend(link *links, uint32_t depth, void (*body)(void *), void *argument) {
  links[depth] = (link){body, argument};
  links[0].next(links[0].rest);
}

void bench_descend(bool frame_pointers, uint32_t depth, void (*body)(void *), void *argument) {
  link links[deepest + 1];
  if (depth > deepest) depth = deepest;
  for (uint32_t index = 0; index < depth; index++) {
    links[index].next = frame_pointers ? bench_frame_with_pointer : bench_frame_without_pointer;
    links[index].rest = &links[index + 1];
  }
  descend(links, depth, body, argument);
  __asm__ volatile("" : : : "memory");
}

void bench_descend_at_random(bool frame_pointers, uint32_t functions, void (*body)(void *),
                             void *argument) {
  static uint64_t state = 88172645463325252;
  enum { depth = 16 };
  link links[depth + 1];
  void (*const *all)(void *) =
      frame_pointers ? bench_many_with_pointer : bench_many_without_pointer;
  for (uint32_t index = 0; index < depth; index++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    links[index].next = all[state % functions];
    links[index].rest = &links[index + 1];
  }
  descend(links, depth, body, argument);
  __asm__ volatile("" : : : "memory");
}
