// Sets up the memory of a log: header, pools of chunks, the threads' writers.

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log_file.h"
#include "log_internal.h"
#include "ms_facts.h"
#include "ms_queue.h"
#include "ms_walk.h"

enum {
  smallest_capacity = 256 * 1024,
  most_to_prefault = 16 * 1024 * 1024,
};

static uint64_t round_down(uint64_t value, uint64_t unit) { return value / unit * unit; }

/// Returns the largest power of two, between the smallest chunk and `most`, that is at most `wanted`.
static uint32_t chunk_size(uint64_t wanted, uint32_t most) {
  uint32_t size = MS_CHUNK_SMALLEST;
  while (size < most && (uint64_t)size * 2 <= wanted) size *= 2;
  return size;
}

/// Divides the file: an eighth for the crash, a thirty-second for the modules, a quarter for the five kinds other
/// than chatter, and the rest for chatter.
static void plan_pools(uint64_t capacity, ms_pool_place *pools) {
  uint64_t left = capacity - MS_LOG_HEADER_SIZE;
  uint64_t unit = MS_CHUNK_SMALLEST;
  uint64_t crash = round_down(capacity / 8 < MS_CHUNK_LARGEST ? capacity / 8 : MS_CHUNK_LARGEST, unit);
  uint64_t modules = round_down(capacity / 32 < 1 << 20 ? capacity / 32 : 1 << 20, unit);
  uint64_t story = round_down(capacity / 20, unit);
  uint64_t chatter = round_down(left - crash - modules - 5 * story, unit);
  uint64_t sizes[MS_POOLS] = {chatter, story, story, story, story, story, modules, crash};
  uint64_t offset = MS_LOG_HEADER_SIZE;
  for (int pool = 0; pool < MS_POOLS; pool++) {
    bool single = pool >= MS_CRUMB_POOLS;
    uint32_t size = single ? (uint32_t)sizes[pool]
                           : chunk_size(sizes[pool] / 256, pool == MS_POOL_CHATTER ? 262144 : 65536);
    pools[pool] = (ms_pool_place){offset, size, (uint32_t)(sizes[pool] / size)};
    offset += sizes[pool];
  }
}

/// Records why the walk engine and the queue checks are not at their best level.
static void put_reasons(ms_log_identity *identity) {
  const char *walk = ms_walk_engine_reason(), *queue = ms_queue_fallback_reason();
  size_t half = sizeof identity->reasons / 2;
  snprintf(identity->reasons, half, "%s", walk ? walk : "");
  size_t first = strlen(identity->reasons) + 1;
  snprintf(identity->reasons + first, half, "%s", queue ? queue : "");
}

static void put_text(char *to, size_t size, const char *text) {
  if (text == NULL) return;
  size_t length = strlen(text);
  memcpy(to, text, ms_cut_text(text, length, size - 1));
}

static void write_deployment(ms_log *log, const ms_log_options *options) {
  ms_log_deployment deployment = {0};
  put_text(deployment.release, sizeof deployment.release, options->release);
  put_text(deployment.environment, sizeof deployment.environment, options->environment);
  if (!deployment.release[0] && !deployment.environment[0]) return;
  deployment.sum = ms_deployment_sum(&deployment, log->salt);
  memcpy((uint8_t *)log->header + MS_DEPLOYMENT_OFFSET, &deployment, sizeof deployment);
}

static void write_identity(ms_log *log, const ms_log_options *options, ms_anchor before) {
  ms_log_identity *identity = &log->header->identity;
  ms_pool_place pools[MS_POOLS];
  plan_pools(options->capacity, pools);
  *identity = (ms_log_identity){
      .magic = MS_LOG_MAGIC,
      .version = MS_LOG_VERSION,
      .header_size = MS_LOG_HEADER_SIZE,
      .salt = log->salt,
      .capacity = options->capacity,
      .page_size = (uint32_t)sysconf(_SC_PAGESIZE),
      .clock = log->counter_clock ? MS_CLOCK_COUNTER : MS_CLOCK_MONOTONIC,
      .process = (uint32_t)getpid(),
      .user = (uint32_t)getuid(),
      .process_start = ms_own_start(),
      .before_open = before,
      .walk_engine = ms_walk_engine_in_use(),
      .queue_level = ms_queue_answer_level(),
  };
  memcpy(identity->pools, pools, sizeof pools);
  ms_boot_id(identity->boot);
  put_reasons(identity);
  ssize_t got = readlink("/proc/self/exe", identity->executable, MS_EXECUTABLE_LIMIT - 1);
  if (got < 0) identity->executable[0] = 0;
  identity->opened = ms_anchor_now(log);
  log->before_open = before;
  atomic_store(&log->anchored_at, identity->opened.ticks);
  identity->sum = ms_identity_sum(identity);
}

static bool map_private(ms_log *log) {
  size_t chunks = 0;
  for (int pool = 0; pool < MS_CRUMB_POOLS; pool++) {
    chunks += log->header->identity.pools[pool].chunk_count;
  }
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  size_t size = chunks * (sizeof(ms_chunk_entry) + sizeof(ms_chunk_word)) + ms_modules_memory();
  void *entries = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (entries == MAP_FAILED) return false;
  log->entries_size = size;
  log->entries = entries;
  log->words = (ms_chunk_word *)(log->entries + chunks);
  log->known = (struct ms_known_modules *)(log->words + chunks);
  return true;
}

static bool open_gate(ms_log *log) {
  if (!ms_log_take_gate(log)) return false;
  atomic_store(&log->gate->ours, 1);
  return true;
}

static void lay_out_pools(ms_log *log) {
  ms_chunk_entry *entries = log->entries;
  ms_chunk_word *words = log->words;
  for (int pool = 0; pool < MS_CRUMB_POOLS; pool++) {
    const ms_pool_place *place = &log->header->identity.pools[pool];
    log->pools[pool] = (ms_pool_state){(uint8_t *)log->header + place->offset, words, entries,
                                       place->chunk_size, place->chunk_count};
    entries += place->chunk_count;
    words += place->chunk_count;
  }
}

static uint8_t *begin_single_chunk(ms_log *log, ms_pool pool, uint64_t *generation) {
  const ms_pool_place *place = &log->header->identity.pools[pool];
  uint8_t *chunk = (uint8_t *)log->header + place->offset;
  *generation = atomic_fetch_add(&log->generations, 1);
  ms_chunk_begin(log, chunk, pool, 0, place->chunk_size, *generation);
  return chunk;
}

static void begin_modules(ms_log *log) {
  log->modules = begin_single_chunk(log, MS_POOL_MODULES, &log->modules_generation);
  log->modules_size = log->header->identity.pools[MS_POOL_MODULES].chunk_size;
  log->modules_used = sizeof(ms_chunk_header);
  ms_modules_start(log);
}

static void begin_crash(ms_log *log) {
  log->crash = begin_single_chunk(log, MS_POOL_CRASH, &log->crash_generation);
  log->crash_size = log->header->identity.pools[MS_POOL_CRASH].chunk_size;
  atomic_store(&log->crash_used, sizeof(ms_chunk_header));
}

static uint64_t random_salt(const ms_log *log) {
  uint64_t salt = 0;
  if (getrandom(&salt, sizeof salt, GRND_NONBLOCK) == sizeof salt && salt) return salt;
  return ms_mix(ms_clock_ns(CLOCK_REALTIME) | 1, (uint64_t)(uintptr_t)log ^ (uint64_t)getpid());
}

static bool fail(ms_log_failure *failure, ms_open_result result, int number, uint64_t detail) {
  *failure = (ms_log_failure){result, number, detail};
  return false;
}

static bool check_capacity(uint64_t capacity, ms_log_failure *failure) {
  if (capacity < smallest_capacity) {
    return fail(failure, MS_OPEN_CAPACITY_TOO_SMALL, 0, smallest_capacity);
  }
  if (capacity > MS_CAPACITY_LARGEST) {
    return fail(failure, MS_OPEN_CAPACITY_TOO_LARGE, 0, MS_CAPACITY_LARGEST);
  }
  return true;
}

/// Makes the pages writable now, so that the first crumbs cause no page faults.
static void prefault(ms_log *log) {
  uint64_t size = log->capacity < most_to_prefault ? log->capacity : most_to_prefault;
#ifdef MADV_POPULATE_WRITE
  madvise(log->header, size, MADV_POPULATE_WRITE);
#else
  (void)size;
#endif
}

/// Reserves anonymous memory, without committing pages.
static bool reserve_memory(ms_log *log) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *memory = mmap(NULL, log->capacity, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) return false;
  log->header = memory;
  madvise(memory, log->capacity, MADV_DONTFORK);
  return true;
}

static bool open_into(ms_log *log, const ms_log_options *options, ms_log_failure *failure) {
  log->counter_clock = ms_counter_is_trusted();
  log->anchor_every = ms_counter_anchor_interval(log->counter_clock);
  log->capacity = options->capacity;
  log->keep = options->keep;
  log->salt = random_salt(log);
  ms_anchor before = ms_anchor_now(log);
  if (!ms_threads_start()) return fail(failure, MS_OPEN_TOO_MANY, 0, 0);
  if (options->path) {
    if (!ms_log_file_reserve(log, options, failure)) return false;
    prefault(log);
  } else if (!reserve_memory(log)) {
    return fail(failure, MS_OPEN_CANNOT_MAP, errno, 0);
  }
  write_identity(log, options, before);
  write_deployment(log, options);
  if (!map_private(log) || !open_gate(log)) {
    return fail(failure, MS_OPEN_CANNOT_MAP, errno, 0);
  }
  lay_out_pools(log);
  begin_modules(log);
  begin_crash(log);
  // Registered first, because after the publication no step may fail that would have to be undone.
  if (!ms_log_register(log)) return fail(failure, MS_OPEN_TOO_MANY, 0, 0);
  if (options->path && !ms_log_file_publish(log, options, failure)) return false;
  atomic_store(&log->gate->recording, 1);
  return true;
}

/// Frees a log that was not registered.
static void free_memory(ms_log *log) {
  ms_log_file_let_go(log);
  if (log->header) munmap(log->header, log->capacity);
  if (log->entries) munmap(log->entries, log->entries_size);
  free(log);
}

static ms_log *open_log(const ms_log_options *options, ms_log_failure *failure) {
  *failure = (ms_log_failure){MS_OPEN_OK, 0, 0};
  ms_log_options rounded = *options;
  rounded.capacity = round_down(options->capacity, MS_CHUNK_SMALLEST);
  if (!check_capacity(rounded.capacity, failure)) return NULL;
  ms_log *log = aligned_alloc(MS_LINES, sizeof *log);
  if (log == NULL) {
    fail(failure, MS_OPEN_CANNOT_MAP, ENOMEM, 0);
    return NULL;
  }
  memset(log, 0, sizeof *log);
  log->directory = -1;
  if (open_into(log, &rounded, failure)) return log;
  if (rounded.path) ms_log_file_discard(log, &rounded);
  if (log->id) {
    ms_log_file_let_go(log);
    ms_log_retire(log);  // the handler of `fork`, or of a fault, may be using the log
  } else {
    free_memory(log);
  }
  return NULL;
}

ms_log *ms_log_open(const ms_log_options *options, ms_log_failure *failure) {
  int state = ms_begin_uncancellable();
  ms_log_sweep();
  ms_log *log = open_log(options, failure);
  if (log) ms_log_note_facts(log);
  ms_end_uncancellable(state);
  return log;
}

ms_log *ms_log_nowhere(void) {
  static ms_gate gate;
  static _Alignas(MS_CHUNK_SMALLEST) uint8_t header[MS_LOG_HEADER_SIZE];
  // An id that no log has, and with which no thread's entry is initialized.
  static ms_log log = {.gate = &gate, .id = UINT64_C(1) << 62, .header = (ms_log_header *)header,
                       .directory = -1, .closed = true};
  return &log;
}

/// Flushes the log through its mapping, which does not depend on descriptors.
static bool sync_mapping(ms_log *log) {
  int state = ms_begin_uncancellable();
  bool synced = msync(log->header, log->capacity, MS_SYNC) == 0;
  ms_end_uncancellable(state);
  return synced;
}

void ms_log_note_facts(ms_log *log) {
  if (!ms_log_visit(log)) return;
  uint64_t *facts = (uint64_t *)((uint8_t *)log->header + MS_FACTS_OFFSET);
  __atomic_store_n(facts, ms_facts_word(), __ATOMIC_RELAXED);
  ms_log_unvisit(log);
}

bool ms_log_sync(ms_log *log) {
  if (!ms_log_visit(log)) return true;
  bool synced = sync_mapping(log);
  ms_log_unvisit(log);
  return synced;
}

void ms_log_mark_clean(ms_log *log) {
  if (!ms_log_visit(log)) return;
  if (!ms_fault_ends_here(log)) {
    uint64_t now = ms_ticks(log);
    ms_anchor_refresh(log, now);
    __atomic_store_n(&ms_log_last_words(log)->ended, now, __ATOMIC_RELAXED);
    atomic_store((_Atomic uint64_t *)&log->header->progress.ending,
                 ms_ending_mark(log->salt, MS_ENDING_CLEAN));
  }
  ms_log_unvisit(log);
}

bool ms_log_close(ms_log *log) {
  if (!atomic_load(&log->gate->ours) || atomic_exchange(&log->closed, true)) return true;
  int state = ms_begin_uncancellable();
  ms_log_mark_clean(log);
  atomic_store(&log->gate->recording, 0);
  bool synced = sync_mapping(log);
  int number = errno;
  ms_log_retire(log);
  errno = number;
  ms_end_uncancellable(state);
  return synced;
}
