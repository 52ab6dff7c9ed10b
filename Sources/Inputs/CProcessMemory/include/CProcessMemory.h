// Reads the memory of a process, stops its threads and walks their stacks.
#ifndef MAINSTAY_CPROCESSMEMORY_H
#define MAINSTAY_CPROCESSMEMORY_H

#include "ms_process_memory.h"
#include "ms_process_stop.h"
#include "ms_unwind.h"
#include "ms_word_search.h"

#endif
