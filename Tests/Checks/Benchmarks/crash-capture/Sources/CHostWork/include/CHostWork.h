// What a host does all day that a crash handler stands in the way of.
#ifndef MAINSTAY_BENCH_HOST_WORK_H
#define MAINSTAY_BENCH_HOST_WORK_H

/// Installs a handler that leaves each SIGSEGV by a long jump.
void install_recovering_handler(void);

/// Meets so many faults, ten calls deep; microseconds of processor time for each.
double recover_from_faults(int count);

/// Begins so many threads and waits for each to end, by the process's `pthread_create` or by the C
/// library's own; microseconds of processor time for each.
double begin_threads(int count, int by_c_library);

#endif
