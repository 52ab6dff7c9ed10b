// Counts calls by their call site.
#ifndef MAINSTAY_TOOLKIT_SITES_H
#define MAINSTAY_TOOLKIT_SITES_H

#include "call_report.h"

/// Counts a call. Returns the number of calls from its call site so far, or 0 if this call need not be reported: the
/// first, the tenth, the hundredth call and so on are reported.
uint64_t ms_toolkit_count_site(const ms_toolkit_finding *finding);

#endif
