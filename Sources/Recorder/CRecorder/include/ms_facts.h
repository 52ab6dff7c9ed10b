// The table of facts about undocumented behavior of the Swift runtime, Dispatch and the C library.
//
// Each fact is learned or looked up once, by the code that needs the fact and reports the result here. The table is
// part of the log's header, and `crashscan show --verbose` prints it.
#ifndef MAINSTAY_FACTS_H
#define MAINSTAY_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ms_fact_names.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The facts that a test denies; 0 in a release build. A constructor sets the variable before `main` from
/// `MAINSTAY_DENY_FACTS`: names of facts, separated by commas, or `all`.
extern uint32_t ms_facts_denied;

/// Returns true if a test denies `fact`, which then counts as unknown.
///
/// Signal safety: safe.
static inline bool ms_fact_is_denied(ms_fact fact) { return ms_facts_denied >> fact & 1; }

/// Reports whether a fact is known. Returns true if the fact is known and no test denies it.
///
/// Signal safety: safe; two atomic operations.
bool ms_fact_learned(ms_fact fact, bool is_known);

/// Returns the table as one word: the known facts from bit 0, the facts that were looked up from bit 32.
///
/// Signal safety: safe; one load.
uint64_t ms_facts_word(void);

#ifdef __cplusplus
}
#endif
#endif
