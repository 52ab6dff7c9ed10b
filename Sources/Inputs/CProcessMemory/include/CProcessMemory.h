// Opens the memory of a process, controls its threads and walks their stacks.
#ifndef MAINSTAY_CPROCESSMEMORY_H
#define MAINSTAY_CPROCESSMEMORY_H

#include "ms_process_memory.h"

#endif
