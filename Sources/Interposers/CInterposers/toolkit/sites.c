#include "sites.h"

#include <string.h>

enum { places = 4096, most_tried = 16 };

static struct {
  _Atomic uint64_t place;
  _Atomic uint64_t count;
} sites[places];

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value;
  hash *= UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/// Hashes the function and the innermost return addresses; for an interpreter, its position as well.
static uint64_t place_of(const ms_toolkit_finding *finding) {
  uint64_t hash = mix(1, finding->function->name);
  for (uint32_t i = 0; i < finding->frame_count && i < 8; i++) hash = mix(hash, finding->frames[i]);
  const char *script = finding->script.count ? finding->script.frames[0] : "";
  for (; *script; script++) hash = mix(hash, (uint8_t)*script);
  return hash ? hash : 1;
}

static bool is_told(uint64_t count) {
  while (count % 10 == 0) count /= 10;
  return count == 1;
}

uint64_t ms_toolkit_count_site(const ms_toolkit_finding *finding) {
  uint64_t place = place_of(finding);
  for (uint32_t i = 0; i < most_tried; i++) {
    uint64_t taken = 0, at = (place + i) % places;
    if (atomic_compare_exchange_strong(&sites[at].place, &taken, place) || taken == place) {
      uint64_t count = atomic_fetch_add(&sites[at].count, 1) + 1;
      return is_told(count) ? count : 0;
    }
  }
  return 0;
}
