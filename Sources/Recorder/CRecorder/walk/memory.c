#include "ms_walk_memory.h"

#include "caller_walk.h"
#include "engine.h"
#include "fast_walk.h"

#if MS_HAS_RULES
#include <string.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

MS_WALKS_BEGIN

/// Compares like `same_pair`, but word by word: a recent push is still in the store buffer, which forwards only to
/// loads of the same size.
static MS_INLINE bool same_young_pair(const ms_stack_pair *then, uintptr_t at) {
  return ((word_at(at) ^ then->low) | (word_at(at + 8) ^ then->high)) == 0;
}

#if defined(__x86_64__)
static MS_INLINE bool same_pair(const ms_stack_pair *then, uintptr_t at) {
  __m128i now = _mm_loadu_si128((const __m128i *)at);
  return _mm_movemask_epi8(_mm_cmpeq_epi8(now, *(const __m128i *)then)) == 0xFFFF;
}
#else
static MS_INLINE bool same_pair(const ms_stack_pair *then, uintptr_t at) { return same_young_pair(then, at); }
#endif

/// Compares the words from index `link` on, and ignores words that the walk did not read.
static __attribute__((noinline)) bool reads_the_same_from(const ms_remembered_walk *walk,
                                                          uint32_t link) {
  for (; link < walk->link_count; link++) {
    uintptr_t at = walk->at[link];
    if (same_pair(&walk->links[link], at)) continue;
    bool is_lone = (walk->lone >> link & 1) != 0;
    if (!is_lone || word_at(at + 8) != walk->links[link].high) return false;
  }
  return true;
}

enum { young_links = 3 };  // the links of our own two frames and of their caller

/// Returns true if a walk that begins in the same frame would read the same words as before. Each word is compared
/// before the next is read, so the check reads no address that the walk itself would not read. The addresses are
/// known in advance, so the loads do not depend on each other, which makes the check fast.
static MS_INLINE bool reads_the_same(const ms_remembered_walk *walk) {
  for (uint32_t i = 0; i < young_links; i++) {
    if (ms_unlikely(!same_young_pair(&walk->links[i], walk->at[i]))) {
      return reads_the_same_from(walk, i);
    }
  }
  uint32_t count = walk->link_count;
#pragma clang loop unroll_count(4)
  for (uint32_t i = young_links; i < count; i++) {
    if (ms_unlikely(!same_pair(&walk->links[i], walk->at[i]))) return reads_the_same_from(walk, i);
  }
  return true;
}

/// Returns true if the async callers are unchanged too.
static MS_INLINE bool waits_the_same(const ms_remembered_walk *walk) {
  if (ms_likely(walk->context_at == 0)) return true;
  const uintptr_t *callers = walk->frames + walk->walked.count - walk->callers;
  return ms_async_callers_are(word_at(walk->context_at), callers, walk->callers, walk->walked.end);
}

static bool add_pair(ms_remembered_walk *walk, uintptr_t at) {
  if (walk->link_count == MS_REMEMBERED_LINKS) return false;
  walk->at[walk->link_count] = at;
  walk->links[walk->link_count++] = (ms_stack_pair){word_at(at), word_at(at + 8)};
  return true;
}

/// Adds a single word, stored as the high word of a pair. The low word is on the stack too, in this frame or in a
/// frame below.
static bool add_word(ms_remembered_walk *walk, uintptr_t at) {
  walk->lone |= UINT64_C(1) << walk->link_count % 64;
  return add_pair(walk, at - 8);
}

/// Adds the words that were read by the step from `before` to the frame with this CFA.
#if defined(__aarch64__)
static bool add_step(ms_remembered_walk *walk, const ms_walk *before, ms_rule rule, uintptr_t cfa) {
  (void)cfa;
  uintptr_t slot = ms_rule_slot(rule);
  switch (ms_rule_kind_of(rule)) {
    case MS_RULE_FROM_SP: return add_pair(walk, before->sp + slot);
    case MS_RULE_RETURN_ALONE: return add_word(walk, before->sp + slot);
    default: return add_pair(walk, before->fp + slot);
  }
}
#else
static bool add_step(ms_remembered_walk *walk, const ms_walk *before, ms_rule rule, uintptr_t cfa) {
  uintptr_t slot = ms_rule_slot(rule);
  switch (ms_rule_kind_of(rule)) {
    case MS_RULE_FRAME_POINTER: return add_pair(walk, cfa - 16);
    case MS_RULE_REALIGNED:
      return add_word(walk, before->fp - ms_rule_cfa_offset(rule)) &&
             add_word(walk, before->fp) && add_word(walk, cfa - 8);
    default:
      if (slot == 16) return add_pair(walk, cfa - 16);
      return (slot == 0 || add_word(walk, cfa - slot)) && add_word(walk, cfa - 8);
  }
}
#endif

/// Takes one step by a cached rule. Returns `AT_END` at the outermost frame.
static obstacle step(ms_remembered_walk *walk, ms_walk *at) {
  ms_walk before = *at;
  ms_entry entry;
  if (!ms_rule_look_up(at->pc, &entry)) return UNKNOWN_RULE;
  ms_rule rule = (entry ^ ms_rule_rotated(at->pc)) & ~MS_RULE_NO_PART;
  obstacle obstacle = leave(at, rule, ms_rule_cfa_offset(rule));
  if (obstacle != GOING_ON) return obstacle;
  return add_step(walk, &before, rule, at->sp) ? GOING_ON : OUT_OF_ROOM;
}

/// Stores the async callers of `walked`, which follow the last stack frame. Returns false if `walked` has other
/// frames left.
static bool note_callers(ms_remembered_walk *walk, const ms_walk *at, const ms_walked *walked) {
  if (at->next < 0 || at->next >= walked->count) return false;
  uint32_t next = (uint32_t)at->next + 1;
  if (at->context_at == 0) return next == walked->count && walked->end == MS_WALK_COMPLETE;
  walk->context_at = at->context_at;
  walk->callers = walked->count - next;
  memcpy(walk->frames + next, walked->frames + next, walk->callers * sizeof *walk->frames);
  return ms_async_callers_are(word_at(walk->context_at), walk->frames + next, walk->callers,
                              walked->end);
}

/// Repeats the walk from `frame` and records the words that it reads. Returns false if cached rules alone do not
/// suffice, or if the result differs from `walked`.
static bool note(ms_remembered_walk *walk, ms_frame frame, const ms_walked *walked) {
  ms_walk at = begin_above(frame, NULL, walk->capacity, walk->skip);
  if (!ms_stack_holds(&at.stack, at.sp) || !add_pair(walk, frame.pointer)) return false;
  for (; at.next < at.capacity; at.next++) {
    if (at.next >= 0) {
      if (at.next >= walked->count || walked->frames[at.next] != at.pc) return false;
      walk->frames[at.next] = at.pc;
    }
    obstacle obstacle = step(walk, &at);
    if (obstacle == AT_END) return note_callers(walk, &at, walked);
    if (obstacle != GOING_ON) return false;
  }
  return at.next == walked->count && walked->end == MS_WALK_LIMIT;
}

static const ms_walked *remember(ms_walk_memory *memory, ms_remembered_walk *walk,
                                 ms_frame frame, uint32_t capacity, uint32_t skip) {
  const ms_walked *walked = &memory->unknown;
  if (walked->count > MS_REMEMBERED_FRAMES) return walked;
  walk->begin = 0;
  walk->capacity = capacity;
  walk->skip = skip;
  walk->link_count = 0;
  walk->lone = 0;
  walk->callers = 0;
  walk->context_at = 0;
  if (!note(walk, frame, walked) || walk->link_count < young_links) return walked;
  uint64_t index = (uint64_t)(walk - memory->walks);
  uint64_t id = ++memory->last_id * MS_REMEMBERED_WALKS + index;
  walk->walked = (ms_walked){walk->frames, id, walked->count, walked->end};
  walk->begin = frame.pointer;
  return &walk->walked;
}

/// Returns a hash of the walk, to recognize the same walk on the next call.
static uint64_t mark_of(const ms_walked *walked, uintptr_t frame) {
  uint64_t mark = frame;
  for (uint32_t i = 0; i < walked->count; i++) mark ^= walked->frames[i] << i % 16;
  return mark;
}

/// Walks without the cache. The result replaces a cached walk only if the same walk occurs twice in a row.
static __attribute__((noinline)) const ms_walked *walk_anew(ms_walk_memory *memory,
                                                            ms_remembered_walk *walk,
                                                            ms_frame frame, uintptr_t *frames,
                                                            uint32_t capacity, uint32_t skip) {
  ms_walked *walked = &memory->unknown;
  walked->frames = frames;
  walked->id = 0;
  walked->count = ms_walk_above(frame, frames, capacity, skip, &walked->end);
  uint64_t mark = mark_of(walked, frame.pointer);
  bool again = walk->mark == mark;
  walk->mark = mark;
  return again ? remember(memory, walk, frame, capacity, skip) : walked;
}

static ms_remembered_walk *home(ms_walk_memory *memory, uintptr_t key, uintptr_t frame) {
  uintptr_t mixed = key ^ key >> 2 ^ frame ^ frame >> 3;
  return &memory->walks[mixed >> 4 & (MS_REMEMBERED_WALKS - 1)];
}

MS_WALKS_END
#endif

static const ms_walked *walk_by_libunwind(ms_walk_memory *memory, uintptr_t first,
                                          uintptr_t *frames, uint32_t capacity, uint32_t skip) {
  ms_walked *walked = &memory->unknown;
  walked->frames = frames;
  walked->id = 0;
  walked->count = ms_libunwind_from(first, frames, capacity, skip, &walked->end);
  return walked;
}

MS_ENTRY("x5", const ms_walked *, ms_walk_remembering, ms_walk_memory *memory, uintptr_t key, uintptr_t *frames,
         uint32_t capacity, uint32_t skip) {
#if MS_HAS_RULES
  if (!ms_uses_libunwind()) {
    ms_frame frame = MS_OWN_FRAME;
    ms_remembered_walk *walk = home(memory, key, frame.pointer);
    if (ms_likely(walk->begin == frame.pointer && walk->skip == skip && walk->capacity == capacity) &&
        ms_likely(reads_the_same(walk)) && waits_the_same(walk)) {
      return &walk->walked;
    }
    return walk_anew(memory, walk, frame, frames, capacity, skip);
  }
#endif
  (void)key;
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  return walk_by_libunwind(memory, caller, frames, capacity, skip);
}
