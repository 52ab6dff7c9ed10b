// The number of services that are shutting down, for the watch thread.
#ifndef MAINSTAY_SERVICES_H
#define MAINSTAY_SERVICES_H

#include <stdbool.h>
#include <stdint.h>

extern uint32_t ms_ending_services;

/// Increments the number of services that are shutting down. Signal safety: safe.
static inline void ms_service_is_asked_to_end(void) {
  __atomic_fetch_add(&ms_ending_services, 1, __ATOMIC_RELAXED);
}

/// Decrements the number of services that are shutting down. Signal safety: safe.
static inline void ms_service_has_ended(void) {
  __atomic_fetch_sub(&ms_ending_services, 1, __ATOMIC_RELAXED);
}

/// Returns true if a service that was asked to end has not ended. Signal safety: safe.
static inline bool ms_services_are_ending(void) {
  return __atomic_load_n(&ms_ending_services, __ATOMIC_RELAXED) != 0;
}

#endif
