#include "CWalkCheck.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "CRecorder.h"
#include "made_context.h"

// A stack between two pages that cannot be read: a walk that leaves it dies.
enum { page = 4096, stack_pages = 16, most_codes = 512, most_frames = 64 };

typedef struct {
  uintptr_t start, size;
} code;
static code codes[most_codes];
static uint32_t code_count;
static uint64_t state = 0x2545F4914F6CDD1D;

static uint64_t random_word(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static int add_code(struct dl_phdr_info *info, size_t size, void *token) {
  (void)size, (void)token;
  for (int index = 0; index < info->dlpi_phnum && code_count < most_codes; index++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type != PT_LOAD || (header->p_flags & PF_X) == 0) continue;
    codes[code_count++] = (code){info->dlpi_addr + header->p_vaddr, header->p_memsz};
  }
  return 0;
}

static uint64_t random_address(void) {
  code chosen = codes[random_word() % code_count];
  return chosen.start + random_word() % chosen.size;
}

static uint64_t random_place(const uint8_t *stack) {
  return (uint64_t)stack - 64 + random_word() % (stack_pages * page + 128);
}

// Return addresses, places in the stack (and just outside), and anything at all.
static uint64_t random_value(const uint8_t *stack) {
  switch (random_word() % 8) {
    case 0: case 1: case 2: return random_address();
    case 3: case 4: case 5: return random_place(stack);
    case 6: return random_word() % 64;
    default: return random_word();
  }
}

static uint8_t *new_stack(void) {
  size_t size = (stack_pages + 2) * page;
  uint8_t *area = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED) return NULL;
  mprotect(area + page, stack_pages * page, PROT_READ | PROT_WRITE);
  return area + page;
}

bool ms_check_garbage(uint64_t walks) {
  uint8_t *stack = new_stack();
  uint64_t *words = (uint64_t *)stack, frames_seen = 0, longest = 0;
  uint64_t word_count = stack_pages * page / sizeof *words;
  if (stack == NULL) return false;
  dl_iterate_phdr(add_code, NULL);
  for (uint64_t walk = 0; walk < walks; walk++) {
    if (walk % 64 == 0) {
      for (uint64_t index = 0; index < word_count; index++) words[index] = random_value(stack);
    }
    ucontext_t context;
    memset(&context, 0, sizeof context);
    for (uint32_t number = 0; number < ms_register_count; number++) {
      ms_set_register(&context, number, random_value(stack));
    }
    // Mostly such as lead somewhere.
    if (walk % 8 != 0) ms_set_register(&context, ms_pc, random_address());
    if (walk % 8 != 1) ms_set_register(&context, ms_sp, random_place(stack));
    if (walk % 8 != 2) ms_set_register(&context, ms_fp, random_place(stack));
    uintptr_t frames[most_frames];
    uintptr_t low = (uintptr_t)stack, high = low + stack_pages * page;
    ms_walk_end end;
    uint32_t count = walk % 2 == 0
        ? ms_walk_context_within(&context, low, high, frames, most_frames, &end)
        : ms_walk_context(&context, frames, most_frames, &end);
    ms_walk_frame_pointers(&context, low, high, frames, most_frames, &end);
    frames_seen += count;
    if (count > longest) longest = count;
  }
  munmap(stack - page, (stack_pages + 2) * page);
  printf("garbage: %lu walks, %lu frames, the longest %lu: none left its stack\n", walks,
         frames_seen, longest);
  return true;
}
