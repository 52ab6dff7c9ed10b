// Reads symbol tables and DWARF, and demangles names.
#ifndef MAINSTAY_CSYMBOLS_H
#define MAINSTAY_CSYMBOLS_H

#include "ms_demangle.h"
#include "ms_dwarf.h"
#include "ms_linkage.h"

#endif
