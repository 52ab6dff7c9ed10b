// Finds the thread that owns a toolkit.
#ifndef MAINSTAY_TOOLKIT_OWNER_H
#define MAINSTAY_TOOLKIT_OWNER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "toolkit_interposer.h"

/// An owner: its thread, and the number of its calls. The first entry has no owner.
typedef struct {
  _Atomic uintptr_t thread;
  uint64_t calls;  // calls on that thread alone
} ms_toolkit_owner;

extern ms_toolkit_owner ms_toolkit_owners[1 + MS_TOOLKITS] __attribute__((visibility("hidden")));

/// The identity of a thread in reports: the kernel's number, and the name.
typedef struct {
  uint32_t number;
  char name[16];
} ms_toolkit_thread;

/// True if this thread may call the toolkit. The first thread that calls becomes the owner. A thread that iterates
/// the default main context becomes the owner later, if the toolkit's list demands that.
bool ms_toolkit_may_call(uint32_t toolkit);

/// Notes that this thread takes or releases a lock of the toolkit.
void ms_toolkit_holds(uint32_t toolkit, bool holds);

ms_toolkit_thread ms_toolkit_this_thread(void);
ms_toolkit_thread ms_toolkit_owner_of(uint32_t toolkit);

void ms_toolkit_owners_start(void);

#endif
