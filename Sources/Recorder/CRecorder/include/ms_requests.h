// The requests in flight, for the watch thread: a table that costs a request two loads and two stores.
#ifndef MAINSTAY_REQUESTS_H
#define MAINSTAY_REQUESTS_H

#include <stdint.h>

enum { MS_REQUESTS = 64 };

/// A place in the table: the token of a request in flight, or 0. Each place has a cache line of its own.
typedef struct {
  _Alignas(64) uint64_t token;
} ms_request_place;

extern ms_request_place ms_requests[MS_REQUESTS];

static inline ms_request_place *ms_request_place_of(uint64_t token) {
  return &ms_requests[token * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

/// Notes the begin of a request. `token` identifies the request among all requests of the process, and is not 0. The
/// table keeps the older of two requests with the same place, so a request that lasts long is kept with the
/// probability that its place was free.
///
/// Signal safety: safe; one load, one store.
static inline void ms_request_begins(uint64_t token) {
  uint64_t *place = &ms_request_place_of(token)->token;
  if (__atomic_load_n(place, __ATOMIC_RELAXED) == 0) __atomic_store_n(place, token, __ATOMIC_RELAXED);
}

/// Notes the end of a request.
///
/// Signal safety: safe; one load, one store.
static inline void ms_request_ends(uint64_t token) {
  uint64_t *place = &ms_request_place_of(token)->token;
  if (__atomic_load_n(place, __ATOMIC_RELAXED) == token) __atomic_store_n(place, 0, __ATOMIC_RELAXED);
}

#endif
