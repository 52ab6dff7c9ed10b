// Stands before libc's fdatasync and fsync in the trial's program: counts, and refuses on demand.
#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CTrials.h"

static _Atomic int file_syncs, directory_syncs, refuses;

int fdatasync(int file) {
  atomic_fetch_add(&file_syncs, 1);
  if (atomic_load(&refuses)) {
    errno = EIO;
    return -1;
  }
  return (int)syscall(SYS_fdatasync, file);
}

int fsync(int file) {
  atomic_fetch_add(&directory_syncs, 1);
  return (int)syscall(SYS_fsync, file);
}

int ms_trial_file_syncs(void) { return file_syncs; }
int ms_trial_directory_syncs(void) { return directory_syncs; }
void ms_trial_refuse_syncs(void) { refuses = 1; }
