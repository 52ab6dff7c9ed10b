// Stands before libc's msync, fdatasync and fsync in the trial's program: counts, and refuses on
// demand. All are cancellation points, as libc's own are.
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CTrials.h"

static _Atomic int file_syncs, directory_syncs, refuses;

static int refused(void) {
  pthread_testcancel();
  atomic_fetch_add(&file_syncs, 1);
  if (atomic_load(&refuses)) errno = EIO;
  return atomic_load(&refuses);
}

int msync(void *start, size_t size, int flags) {
  return refused() ? -1 : (int)syscall(SYS_msync, start, size, flags);
}

int fdatasync(int file) { return refused() ? -1 : (int)syscall(SYS_fdatasync, file); }

int fsync(int file) {
  pthread_testcancel();
  atomic_fetch_add(&directory_syncs, 1);
  return (int)syscall(SYS_fsync, file);
}

int ms_trial_file_syncs(void) { return file_syncs; }
int ms_trial_directory_syncs(void) { return directory_syncs; }
void ms_trial_refuse_syncs(void) { refuses = 1; }
