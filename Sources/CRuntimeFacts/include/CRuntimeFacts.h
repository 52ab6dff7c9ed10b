#include "ms_facts.h"
#include "ms_module.h"
#include "ms_symbols.h"
