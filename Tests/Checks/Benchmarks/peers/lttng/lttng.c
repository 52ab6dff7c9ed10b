#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "crumb_provider.h"

#include "CLttng.h"

bool bench_lttng_is_recording(void) {
  return lttng_ust_tracepoint_enabled(mainstay_bench, message);
}

void bench_lttng_message(const char *message) {
  lttng_ust_tracepoint(mainstay_bench, message, message);
}

void bench_lttng_three_values(const char *message, int64_t id, bool ok, const char *peer) {
  lttng_ust_tracepoint(mainstay_bench, three_values, message, id, ok, peer);
}
