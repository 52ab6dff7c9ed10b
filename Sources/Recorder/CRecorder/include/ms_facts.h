// The table of facts about the Swift runtime, Dispatch and the C library that no public interface promises.
//
// Each fact is learned or looked up once, in the place that uses it, which reports the result here. The table is part of
// the log's header, and `crashscan show --verbose` prints it.
#ifndef MAINSTAY_FACTS_H
#define MAINSTAY_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ms_fact_names.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The facts that a test denies; 0 in a release build. Set before `main` from `MAINSTAY_DENY_FACTS`: names of facts with
/// commas between them, or `all`.
extern uint32_t ms_facts_denied;

/// Whether a test denies `fact`, which then counts as not known.
///
/// Signal safety: safe.
static inline bool ms_fact_is_denied(ms_fact fact) { return ms_facts_denied >> fact & 1; }

/// Reports whether a fact is known. Returns whether it may be used: if it is known and no test denies it.
///
/// Signal safety: safe; two atomic operations.
bool ms_fact_learned(ms_fact fact, bool is_known);

/// The table as one word: from bit 0 which facts are known, from bit 32 which were asked for.
///
/// Signal safety: safe; one load.
uint64_t ms_facts_word(void);

#ifdef __cplusplus
}
#endif
#endif
