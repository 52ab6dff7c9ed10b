#include "ms_process_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int ms_process_memory_open(int process) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  return open(path, O_RDONLY | O_CLOEXEC);
}

size_t ms_process_memory_read(int memory, uint64_t address, void *buffer, size_t size) {
  size_t done = 0;
  // User addresses are not negative, so they fit the signed offset of pread.
  while (done < size && address + done <= INT64_MAX && address + done >= address) {
    ssize_t count = pread(memory, (char *)buffer + done, size - done, (off_t)(address + done));
    if (count > 0) done += (size_t)count;
    else if (count == 0 || errno != EINTR) break;
  }
  return done;
}
