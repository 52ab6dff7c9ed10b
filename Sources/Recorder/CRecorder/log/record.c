// Begins and commits records other than crumbs.

#include "log_internal.h"

ms_record_head *ms_record_begin(uint8_t *chunk, uint32_t used, uint32_t tag, uint32_t words,
                                ms_record_type type) {
  ms_record_head *head = (ms_record_head *)(chunk + used);
  ms_record_store_first(head, ms_record_first_word(tag, words, type, MS_KIND_NOTE));
  head->number = 0;
  return head;
}

void ms_record_commit(ms_record_head *head, uint32_t words, uint32_t seed) {
  __atomic_store_n(&head->sum, ms_record_sum(head, words, seed), __ATOMIC_RELEASE);
  ms_order();
}
