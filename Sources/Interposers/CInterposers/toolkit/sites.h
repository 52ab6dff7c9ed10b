// Counts calls by the place that they come from.
#ifndef MAINSTAY_TOOLKIT_SITES_H
#define MAINSTAY_TOOLKIT_SITES_H

#include "call_report.h"

/// How often a call was found in its place, this one counted; 0 if this one need not be told: the first is, the
/// tenth, the hundredth and so on.
uint64_t ms_toolkit_count_site(const ms_toolkit_finding *finding);

#endif
