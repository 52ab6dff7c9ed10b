// Walks a stack and writes down where each frame was called from. docs/stack-walk.md explains how.
#ifndef MAINSTAY_CSTACKWALK_H
#define MAINSTAY_CSTACKWALK_H

#include "ms_address.h"
#include "ms_async.h"
#include "ms_return_address.h"
#include "ms_walk.h"
#include "ms_walk_memory.h"

#endif
