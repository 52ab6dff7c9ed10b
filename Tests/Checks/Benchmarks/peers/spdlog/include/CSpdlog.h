// spdlog with its stock file sinks.
#ifndef BENCHMARK_CSPDLOG_H
#define BENCHMARK_CSPDLOG_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A logger into a file of its own: written by the caller, or by spdlog's thread through a queue of
/// 8,192 places that blocks when it is full (both are spdlog's defaults).
void *bench_spdlog_open(const char *path, bool async);
void bench_spdlog_message(void *logger);
void bench_spdlog_three_values(void *logger, int64_t id);
void bench_spdlog_close(void *logger);

#ifdef __cplusplus
}
#endif
#endif
