// Reads memory of another process through the kernel.
#ifndef MS_PROCESS_MEMORY_H
#define MS_PROCESS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/// Opens `/proc/PID/mem` for reading, which requires the permission to trace the process. The
/// descriptor stays bound to the current program: it never reads another process with the same id.
/// Returns -1 and sets `errno` on failure.
int ms_process_memory_open(int process);

/// Reads up to `size` bytes from `address`; returns the number of bytes before the first unreadable one.
size_t ms_process_memory_read(int memory, uint64_t address, void *buffer, size_t size);

#endif
