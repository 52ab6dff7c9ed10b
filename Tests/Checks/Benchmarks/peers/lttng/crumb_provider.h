// The events, in the form in which LTTng-UST wants them: this header includes itself.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER mainstay_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./crumb_provider.h"

#if !defined(BENCHMARK_CRUMB_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCHMARK_CRUMB_PROVIDER_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(
  mainstay_bench, message, LTTNG_UST_TP_ARGS(const char *, message),
  LTTNG_UST_TP_FIELDS(lttng_ust_field_string(message, message)))

LTTNG_UST_TRACEPOINT_EVENT(
  mainstay_bench, three_values,
  LTTNG_UST_TP_ARGS(const char *, message, int64_t, id, int, ok, const char *, peer),
  LTTNG_UST_TP_FIELDS(
    lttng_ust_field_string(message, message) lttng_ust_field_integer(int64_t, id, id)
      lttng_ust_field_integer(int, ok, ok) lttng_ust_field_string(peer, peer)))

#endif

#include <lttng/tracepoint-event.h>
