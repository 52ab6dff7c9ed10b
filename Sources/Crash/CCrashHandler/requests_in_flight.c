// Measures the ages of the requests in flight, by their tokens at the checks of the watch thread.

#include "CRecorder.h"
#include "watched_executors.h"

typedef struct {
  uint64_t token;
  uint64_t age;  // time since the check that saw the token first
} request_memory;

static request_memory seen[MS_REQUESTS];

uint64_t ms_requests_oldest(uint64_t passed) {
  uint64_t oldest = 0;
  for (uint32_t i = 0; i < MS_REQUESTS; i++) {
    uint64_t token = __atomic_load_n(&ms_requests[i].token, __ATOMIC_RELAXED);
    bool is_same = token != 0 && token == seen[i].token;
    seen[i] = (request_memory){token, is_same ? seen[i].age + passed : 0};
    if (seen[i].age > oldest) oldest = seen[i].age;
  }
  return oldest;
}
