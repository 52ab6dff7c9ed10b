// The life cycle of chunks: free, owned by one writer, then retired until it is the oldest one and is reused.

#include "log_internal.h"

static inline chunk_state state_of(uint64_t word) { return (chunk_state)(word & 3); }
static inline uint64_t order_of(uint64_t word) { return word >> 2; }

/// Returns true if a chunk that was released when its thread ended has enough room for another thread. The result may
/// be outdated; the later compare-and-exchange detects that.
static bool has_room(const ms_chunk_entry *entry, uint32_t size, uint32_t needs) {
  uint32_t used = atomic_load_explicit(&entry->used, memory_order_relaxed);
  return used <= size - size / 4 && size - used >= needs;
}

static uint8_t *chunk_at(const ms_pool_state *pool, uint32_t index) {
  return pool->base + (size_t)index * pool->chunk_size;
}

/// Invalidates the crumbs of a released chunk in the file, if its word is still `word`. This happens before the chunk
/// is claimed, so that a thread which is stopped in between leaves no older crumbs in place while newer ones are
/// overwritten. A generation is never reused: if the chunk has changed hands since, the call has no effect.
static void give_up(ms_pool_state *pool, uint32_t index, uint64_t word) {
  // model: give-up-generation
  uint64_t generation =
      atomic_load_explicit(&pool->entries[index].generation, memory_order_acquire);
  // model: give-up-word
  if (atomic_load_explicit(&pool->words[index], memory_order_relaxed) != word) return;
  // model: give-up-exchange
  ms_chunk_header *header = (ms_chunk_header *)chunk_at(pool, index);
  atomic_compare_exchange_strong((_Atomic uint64_t *)&header->generation, &generation,
                                 MS_GENERATION_NONE);
}

/// Retires a partly filled chunk, so that no new thread adopts it. An adopted chunk keeps its generation, so its
/// generation must not be invalidated after the adoption.
static bool stop_adoption(ms_pool_state *pool, uint32_t index, uint64_t *word) {
  if (state_of(*word) != CHUNK_PARTIAL) return true;
  // model: stop-adoption
  uint64_t retired = order_of(*word) << 2 | CHUNK_RETIRED;
  if (!atomic_compare_exchange_strong_explicit(&pool->words[index], word, retired,
                                               memory_order_acq_rel, memory_order_relaxed)) {
    return false;
  }
  *word = retired;
  return true;
}

/// Finds a partly filled chunk that a new writer can continue, with room for `needs` bytes.
static uint32_t find_room(const ms_pool_state *pool, uint32_t needs, uint64_t *word) {
  for (uint32_t i = 0; i < pool->chunk_count; i++) {  // model: find-room
    *word = atomic_load_explicit(&pool->words[i], memory_order_acquire);
    if (*word == CHUNK_OWNED || state_of(*word) != CHUNK_PARTIAL) continue;
    if (has_room(&pool->entries[i], pool->chunk_size, needs)) return i;
  }
  return MS_NO_CHUNK;
}

enum { words_at_once = 8 };

/// Returns the smallest of several words, computed without branches.
static inline uint64_t smallest_of(const ms_chunk_word *words, uint32_t count) {
  uint64_t smallest = CHUNK_OWNED;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t here = atomic_load_explicit(&words[i], memory_order_acquire);
    smallest = here < smallest ? here : smallest;
  }
  return smallest;
}

/// Returns the index of a word that was just read. If the word has changed since, claiming its chunk fails.
static uint32_t place_of(const ms_chunk_word *words, uint32_t count, uint64_t word) {
  uint32_t place = 0;
  while (place + 1 < count &&
         atomic_load_explicit(&words[place], memory_order_relaxed) != word) {
    place++;
  }
  return place;
}

/// Continues the search for the smallest word: an unused chunk, otherwise the chunk that was released first.
static void look_until(const ms_pool_state *pool, ms_chunk_search *search, uint32_t end) {
  while (search->seen < end && search->word != CHUNK_FREE) {  // model: find-oldest
    const ms_chunk_word *words = &pool->words[search->seen];
    uint32_t left = end - search->seen;
    uint32_t count = left < words_at_once ? left : words_at_once;
    uint64_t here = count == words_at_once ? smallest_of(words, words_at_once)
                                           : smallest_of(words, count);
    if (here < search->word) {
      search->word = here;
      search->index = search->seen + place_of(words, count, here);
    }
    search->seen += count;
  }
}

static ms_chunk_search begin_search(ms_log *log) {
  // model: look-from
  uint64_t since = atomic_load_explicit(&log->generations, memory_order_acquire);
  return (ms_chunk_search){.word = CHUNK_OWNED, .since = since, .index = MS_NO_CHUNK};
}

/// Returns the oldest chunk if it was released before the search began: all chunks released since are younger, so it
/// is the oldest as long as its word is unchanged.
static uint32_t found_ahead(const ms_pool_state *pool, const ms_chunk_search *search) {
  if (search->index == MS_NO_CHUNK || order_of(search->word) >= search->since) return MS_NO_CHUNK;
  uint64_t now = atomic_load_explicit(&pool->words[search->index], memory_order_acquire);
  return now == search->word ? search->index : MS_NO_CHUNK;
}

/// Returns the oldest chunk, from the writer's own search or a new one.
///
/// If a chunk was released after the search began, an older chunk of the same thread may have been released just
/// before it, behind the position of the search. Then the search starts again.
static uint32_t find_oldest(ms_log *log, const ms_pool_state *pool, ms_chunk_search *search,
                            uint64_t *word) {
  uint32_t found = found_ahead(pool, search);
  while (found == MS_NO_CHUNK) {
    *search = begin_search(log);
    look_until(pool, search, pool->chunk_count);
    if (search->index == MS_NO_CHUNK) break;
    if (order_of(search->word) < search->since) found = search->index;
  }
  *word = search->word;
  search->index = MS_NO_CHUNK;
  return found;
}

static bool exchange(ms_pool_state *pool, uint32_t index, uint64_t word) {
  return atomic_compare_exchange_strong_explicit(&pool->words[index], &word, CHUNK_OWNED,
                                                 memory_order_acq_rel, memory_order_relaxed);
}

/// Claims a chunk for a writer; returns MS_NO_CHUNK if all are owned. Each failed exchange means that another thread
/// has claimed a chunk, so the loop ends. A first chunk may be a partly filled one with room for `adopts` bytes;
/// `adopts` is 0 for every other chunk.
static uint32_t take(ms_log *log, ms_pool_state *pool, ms_writer *writer, uint32_t adopts,
                     bool *goes_on) {
  for (;;) {
    uint64_t word;
    uint32_t found = adopts ? find_room(pool, adopts, &word) : MS_NO_CHUNK;
    *goes_on = found != MS_NO_CHUNK;
    if (!*goes_on) found = find_oldest(log, pool, &writer->search, &word);
    if (found == MS_NO_CHUNK) return MS_NO_CHUNK;
    if (!*goes_on && word != CHUNK_FREE) {
      if (!stop_adoption(pool, found, &word)) continue;
      give_up(pool, found, word);
    }
    if (exchange(pool, found, word)) return found;  // model: claim-chunk
  }
}

/// Increments the counter for generations and orders: no value is used twice, and both only increase. A thread that
/// sees a number in use also sees the chunks that its owner released before.
static uint64_t next_generation(ms_log *log) {  // model: take-generation
  return atomic_fetch_add_explicit(&log->generations, 1, memory_order_release);
}

static void let_go(ms_chunk_word *word, uint64_t order, chunk_state state) {  // model: let-go
  atomic_store_explicit(word, order << 2 | state, memory_order_release);
}

static void note_recycled(ms_log *log, ms_chunk_entry *entry) {
  for (int kind = 0; kind < MS_KINDS; kind++) {
    if (entry->counts[kind] == 0) continue;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&log->header->progress.recycled[kind],
                              entry->counts[kind], memory_order_relaxed);
    entry->counts[kind] = 0;
  }
}

/// Stores the generation last: until then, readers treat the chunk as invalid. The fence also orders the processor's
/// stores, so that a concurrent reader does not see new bytes under the old generation.
void ms_chunk_begin(ms_log *log, uint8_t *chunk, ms_pool pool, uint32_t index, uint32_t size,
                    uint64_t generation) {
  ms_chunk_header *header = (ms_chunk_header *)chunk;
  _Atomic uint64_t *generation_word = (_Atomic uint64_t *)&header->generation;
  // model: begin-chunk-none
  atomic_store_explicit(generation_word, MS_GENERATION_NONE, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  // model: begin-chunk-header
  header->magic = MS_CHUNK_MAGIC;
  header->salt = log->salt;
  header->pool = pool;
  header->index = index;
  header->size = size;
  header->tick_length = ms_tick_length(log);
  header->begun = ms_ticks(log);
  header->anchor = ms_anchor_latest(log);
  header->sum = ms_chunk_header_sum(header, generation);
  ms_order();
  // model: begin-chunk-generation
  atomic_store_explicit(generation_word, generation, memory_order_release);
  ms_order();
}

static void write_thread(ms_log_thread *thread, ms_writer *writer) {
  uint32_t words = sizeof(ms_thread_record) / 8;
  ms_thread_record *record = (ms_thread_record *)ms_record_begin(
      writer->chunk, writer->used, writer->tag, words, MS_RECORD_THREAD);
  record->ordinal = thread->ordinal;
  record->kernel_id = thread->kernel_id;
  memcpy(record->name, thread->name, sizeof record->name);
  ms_record_commit(&record->head, words, writer->seed + writer->used);
  writer->used += words * 8;
}

/// Stores in the entry the data that the next owner and the count of recycled crumbs need.
static void store_progress(ms_chunk_entry *entry, const ms_writer *writer) {
  // model: store-used
  atomic_store_explicit(&entry->used, writer->used, memory_order_relaxed);
  // model: store-generation
  atomic_store_explicit(&entry->generation, writer->generation, memory_order_release);
  memcpy(entry->counts, writer->counts, sizeof entry->counts);
}

static void use(ms_log *log, ms_writer *writer, ms_pool pool, uint32_t index, bool goes_on,
                uint64_t generation) {
  ms_pool_state *state = &log->pools[pool];
  ms_chunk_entry *entry = &state->entries[index];
  uint8_t *chunk = chunk_at(state, index);
  if (goes_on) {  // model: go-on
    writer->generation = entry->generation;
    writer->used = atomic_load_explicit(&entry->used, memory_order_relaxed);
    memcpy(writer->counts, entry->counts, sizeof writer->counts);
  } else {
    note_recycled(log, entry);
    writer->generation = generation;
    writer->used = sizeof(ms_chunk_header);
    memset(writer->counts, 0, sizeof writer->counts);
    ms_chunk_begin(log, chunk, pool, index, state->chunk_size, writer->generation);
  }
  writer->chunk = chunk;
  writer->limit = state->chunk_size / MS_CHUNK_STEPS;
  writer->search = begin_search(log);
  writer->tag = ms_chunk_tag(log->salt, writer->generation);
  writer->seed = ms_chunk_seed(log->salt, writer->generation);
  writer->current = index;
}

/// Gives the writer a chunk with room for a crumb of `needs` bytes. The writer keeps its last full chunk until the
/// next one is full, so that each thread's most recent chunk of crumbs is never recycled.
static bool change(ms_log_thread *thread, ms_writer *writer, ms_pool pool, uint32_t needs) {
  ms_log *log = thread->log;
  ms_pool_state *state = &log->pools[pool];
  bool first = writer->limit == 0;
  if (first) writer->current = writer->previous = MS_NO_CHUNK;
  bool goes_on;
  uint32_t next = take(log, state, writer, first ? needs + sizeof(ms_thread_record) : 0, &goes_on);
  uint32_t oldest = writer->previous;
  uint64_t generation = next_generation(log);
  if (next == MS_NO_CHUNK) {
    if (oldest == MS_NO_CHUNK) return false;  // model: drop
    // model: recycle-own
    next = oldest;  // no chunk is available: the writer reuses its own oldest chunk
  } else if (oldest != MS_NO_CHUNK) {
    let_go(&state->words[oldest], generation, CHUNK_RETIRED);
  }
  if (!first) store_progress(&state->entries[writer->current], writer);
  writer->previous = writer->current;
  use(log, writer, pool, next, goes_on, generation);
  write_thread(thread, writer);
  return true;
}

/// Searches a part of the pool at each step of the chunk. Otherwise a single crumb that finds its chunk full would
/// pay for the whole search, which would be most of its cost.
static void look_ahead(const ms_pool_state *pool, ms_writer *writer) {
  uint32_t step = pool->chunk_size / MS_CHUNK_STEPS;
  uint32_t parts = writer->limit / step;
  look_until(pool, &writer->search, pool->chunk_count * parts / (MS_CHUNK_STEPS - 1));
  writer->limit += step;
  if (writer->limit < pool->chunk_size || writer->search.index == MS_NO_CHUNK) return;
  __builtin_prefetch(chunk_at(pool, writer->search.index), 1);
  __builtin_prefetch(&pool->entries[writer->search.index], 1);
}

bool ms_chunk_make_room(ms_log_thread *thread, ms_writer *writer, ms_pool pool, uint32_t needs) {
  const ms_pool_state *state = &thread->log->pools[pool];
  while (writer->limit != 0 && writer->limit < state->chunk_size) {
    look_ahead(state, writer);
    if (writer->used + needs <= writer->limit) return true;
  }
  return change(thread, writer, pool, needs);
}

void ms_chunks_let_go(ms_log *log, ms_writer *writer, ms_pool pool) {
  if (writer->limit == 0) return;
  // model: end-thread
  ms_pool_state *state = &log->pools[pool];
  if (writer->previous != MS_NO_CHUNK) {
    let_go(&state->words[writer->previous], next_generation(log), CHUNK_RETIRED);
  }
  store_progress(&state->entries[writer->current], writer);
  let_go(&state->words[writer->current], next_generation(log), CHUNK_PARTIAL);
  writer->limit = 0;
  writer->used = 0;
}
