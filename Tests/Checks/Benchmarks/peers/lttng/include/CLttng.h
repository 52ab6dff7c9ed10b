// LTTng-UST: the peer whose events survive the process too, with `--shm-path`.
#ifndef BENCHMARK_CLTTNG_H
#define BENCHMARK_CLTTNG_H

#include <stdbool.h>
#include <stdint.h>

/// Whether a session records our events, so that a call costs what it costs when it records.
bool bench_lttng_is_recording(void);

void bench_lttng_message(const char *message);
void bench_lttng_three_values(const char *message, int64_t id, bool ok, const char *peer);

#endif
