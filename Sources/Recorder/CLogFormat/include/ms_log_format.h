// The binary format of a breadcrumb log, as docs/internals/log-format.md specifies it. Writer and reader share only
// this file. All numbers are little-endian.
#ifndef MAINSTAY_LOG_FORMAT_H
#define MAINSTAY_LOG_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ms_crc.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MS_LOG_MAGIC 0x474f4c5941534e4dULL    // "MNSAYLOG"
#define MS_CHUNK_MAGIC 0x4b4e484359534e4dULL  // "MNSYCHNK"

enum {
  MS_LOG_VERSION = 2,  ///< version 1 has neither templates nor brief crumbs
  MS_LOG_HEADER_SIZE = 4096,
  MS_CHUNK_SMALLEST = 4096,
  MS_CHUNK_LARGEST = 16 * 1024 * 1024,
  MS_EXECUTABLE_LIMIT = 512,
  MS_ANCHORS = 8,
};

#define MS_CAPACITY_LARGEST (UINT64_C(1) << 36)

/// The generation of a chunk whose old crumbs are invalid and whose header is not yet written again.
#define MS_GENERATION_NONE 0xffffffffffffffffULL

/// The kind of a crumb.
typedef enum {
  MS_KIND_NOTE = 0,
  MS_KIND_LIFECYCLE = 1,
  MS_KIND_UI_WORK = 2,
  MS_KIND_VIOLATION = 3,
  MS_KIND_HOP = 4,
  MS_KIND_BACKGROUND_TASK = 5,
  MS_KIND_HANG = 6,
  MS_KIND_ERROR = 7,
  MS_KINDS = 8,
} ms_kind;

/// A set of chunks that are recycled only among themselves.
typedef enum {
  MS_POOL_CHATTER = 0,  ///< notes, UI work, hops
  MS_POOL_LIFECYCLE = 1,
  MS_POOL_BACKGROUND_TASK = 2,
  MS_POOL_VIOLATION = 3,
  MS_POOL_HANG = 4,
  MS_POOL_ERROR = 5,
  MS_CRUMB_POOLS = 6,
  MS_POOL_MODULES = 6,  ///< a single chunk, never recycled
  MS_POOL_CRASH = 7,    ///< a single chunk, never recycled
  MS_POOLS = 8,
} ms_pool;

typedef enum {
  MS_RECORD_THREAD = 1,
  MS_RECORD_QUEUE = 2,
  MS_RECORD_STACK = 3,
  MS_RECORD_CRUMB = 4,
  MS_RECORD_MODULE = 5,
  MS_RECORD_TEMPLATE = 6,
  MS_RECORD_BRIEF = 7,
} ms_record_type;

typedef enum {
  MS_CLOCK_MONOTONIC = 0,  ///< ticks are nanoseconds of CLOCK_MONOTONIC
  MS_CLOCK_COUNTER = 1,    ///< ticks are the processor's constant-rate counter
} ms_clock;

/// One instant on three clocks; `sum` is the checksum of the other fields.
typedef struct {
  uint64_t ticks;
  uint64_t monotonic_ns;
  uint64_t wall_ns;
  uint64_t sum;
} ms_anchor;

typedef struct {
  uint64_t offset;
  uint32_t chunk_size;
  uint32_t chunk_count;
} ms_pool_place;

/// The part of the header that never changes after the log is opened; `sum` is the checksum of all fields before it.
typedef struct {
  uint64_t magic;
  uint32_t version;
  uint32_t header_size;
  uint64_t salt;  ///< random, to distinguish the bytes of this log from those of other logs
  uint64_t capacity;
  uint32_t page_size;
  uint32_t clock;
  uint32_t process;
  uint32_t user;
  uint64_t process_start;  ///< the start time in kernel clock ticks since boot, as in /proc/PID/stat
  uint8_t boot[16];        ///< the kernel's boot id
  ms_anchor before_open;
  ms_anchor opened;
  ms_pool_place pools[MS_POOLS];
  uint32_t walk_engine;
  uint32_t queue_level;
  char reasons[256];  ///< the reasons for `walk_engine` and `queue_level`: two NUL-terminated strings
  char executable[MS_EXECUTABLE_LIMIT];
  uint64_t sum;
} ms_log_identity;

/// The part of the header that changes while the log is written. Every word is stored atomically, so no word can be
/// torn.
typedef struct {
  uint64_t ending;  ///< ms_ending_mark(salt, …): how the run ended, as recorded by the run itself
  uint64_t modules_unlisted;    ///< modules that did not fit into the modules' chunk
  uint64_t recycled[MS_KINDS];  ///< crumbs overwritten by newer crumbs
  uint64_t dropped[MS_KINDS];   ///< crumbs that found no chunk
  ms_anchor anchors[MS_ANCHORS];
} ms_log_progress;

typedef struct {
  ms_log_identity identity;
  _Alignas(64) ms_log_progress progress;
} ms_log_header;

enum { MS_DEPLOYMENT_OFFSET = 1536 };  // offset in the header

/// Release and environment of the host, written before the file gets its name. Zero if the host sets none, and in
/// logs of older versions.
typedef struct {
  char release[128];     ///< NUL-terminated
  char environment[64];  ///< NUL-terminated
  uint64_t sum;          ///< ms_deployment_sum
} ms_log_deployment;

enum { MS_FACTS_OFFSET = 1792 };  // offset in the header of `ms_facts_word`; 0 in logs of older versions

typedef enum {
  MS_ENDING_NONE = 0,        ///< still running, or ended abruptly
  MS_ENDING_CLEAN = 1,       ///< closed, or the process exited normally
  MS_ENDING_TRUNCATED = 2,   ///< another process truncated the file; recording stopped
} ms_ending;

typedef struct {
  uint64_t magic;
  uint64_t salt;
  uint64_t generation;  ///< a value of the log's counter: never reused, and higher for each chunk that is begun
  uint32_t pool;
  uint32_t index;
  uint32_t size;
  uint32_t tick_length;  ///< the length of a tick in 2^-24 ns at the start of the chunk; 0: unknown
  uint64_t begun;    ///< the start in ticks; no crumb in the chunk is older
  ms_anchor anchor;  ///< the newest anchor at the start of the chunk
  uint64_t sum;
} ms_chunk_header;

/// The header of every record. The first word is stored before the payload, the second after it.
typedef struct {
  uint32_t tag;    ///< ms_chunk_tag of the chunk's generation
  uint16_t words;  ///< the length of the whole record in 8-byte words
  uint8_t type;
  uint8_t kind;     ///< the kind of a crumb; else 0
  uint32_t number;  ///< a crumb's number in its thread, modulo 2^32; else 0
  uint32_t sum;     ///< ms_record_sum
} ms_record_head;

typedef struct {
  ms_record_head head;
  uint32_t ordinal;  ///< the number of the thread in the log, from 1
  uint32_t kernel_id;
  char name[16];
} ms_thread_record;

typedef struct {
  ms_record_head head;
  uint64_t serial;
  uint32_t label_size;
  uint32_t reserved;
  // the label
} ms_queue_record;

/// A flag in a frame: the address is not a return address, but the resume address of an async function that awaits
/// the previous frame.
#define MS_FRAME_ASYNC (UINT64_C(1) << 63)

typedef struct {
  ms_record_head head;
  uint16_t count;
  uint8_t end;                   ///< ms_walk_end
  uint8_t first_is_instruction;  ///< the first frame is an instruction, not a return address
  uint32_t reserved;
  uint64_t frames[];
} ms_stack_record;

typedef enum {
  MS_CRUMB_ON_MAIN = 1,
  MS_CRUMB_MAIN_UNKNOWN = 2,  ///< not seen on the main queue, but the check was not exact
  MS_CRUMB_MESSAGE_CUT = 4,
  MS_CRUMB_DATA_CUT = 8,
  MS_CRUMB_HAS_HOP = 16,
  MS_CRUMB_INTERRUPTING = 32,  ///< recorded by a signal handler that interrupted another record
  MS_CRUMB_ON_SERIAL = 128,    ///< recorded on a serial queue; only set for arrivals
} ms_crumb_flags;

/// A crumb. Each string is padded to whole words, so that a record is written and checksummed word by word.
typedef struct {
  ms_record_head head;
  uint64_t ticks;
  uint32_t thread;  ///< the thread's ordinal
  uint16_t queue;   ///< offset of the queue's record in the chunk, in words; 0: none
  uint16_t stack;   ///< offset of the stack's record, likewise
  uint16_t message_size;
  uint16_t data_size;
  uint8_t category_size;
  uint8_t data_count;
  uint8_t level;
  uint8_t flags;
  // a hop's id if MS_CRUMB_HAS_HOP, then category, message and data, each padded to 8 bytes
} ms_crumb_record;

/// The parts that the brief crumbs of a chunk share: category, message, keys, types and fixed values.
typedef struct {
  ms_record_head head;
  uint16_t message_size;
  uint16_t entries_size;
  uint8_t category_size;
  uint8_t count;          ///< the number of entries
  uint8_t context_count;  ///< of these, the last ones are the context's
  uint8_t level;
  // category, message and entries, each padded to 8 bytes. An entry is its type, the size of its key, the size of its
  // value (2 bytes, only if MS_DATA_FIXED), the key, and the value (only if MS_DATA_FIXED)
} ms_template_record;

/// A crumb that refers to its template.
typedef struct {
  ms_record_head head;
  uint64_t ticks;
  uint32_t thread;
  uint16_t queue;
  uint16_t stack;
  uint16_t texts;    ///< offset of the template in the chunk, in words
  uint16_t context;  ///< offset of the brief crumb that has the values of the context, likewise; 0: none
  uint8_t flags;
  uint8_t values[3];
  // `values` goes on: each value whose entry is not fixed, then a hop's id if MS_CRUMB_HAS_HOP, without padding
} ms_brief_record;

typedef enum {
  MS_DATA_STRING = 1,
  MS_DATA_INTEGER = 2,
  MS_DATA_DOUBLE = 3,
  MS_DATA_BOOLEAN = 4,
  MS_DATA_FIXED = 0x80,  ///< a flag: the value is one of few, and therefore a part of the template
} ms_data_type;

/// The header of a key and its value: the bytes of the key follow, then those of the value, unaligned.
typedef struct {
  uint8_t type;
  uint8_t key_size;
  uint16_t value_size;
} ms_data_head;

typedef struct {
  ms_record_head head;
  uint64_t text_start;
  uint64_t text_end;
  uint64_t bias;
  uint64_t seen_ticks;
  uint16_t build_id_size;
  uint16_t path_size;
  uint32_t identity;  // an ms_identity: the meaning of the build id
  // the build id, then the path
} ms_module_record;

enum ms_identity { MS_IDENTITY_BUILD_ID, MS_IDENTITY_STAMP };

/// The stamp that identifies a file without a build id, as long as the file is not moved or changed.
typedef struct {
  uint64_t inode;
  uint64_t size;
  uint64_t modified, changed;  // nanoseconds since 1970
} ms_file_stamp;

enum {
  MS_CATEGORY_LIMIT = 64,
  MS_MESSAGE_LIMIT = 1024,
  MS_DATA_LIMIT = 1024,
  MS_LABEL_LIMIT = 128,
  MS_FRAME_LIMIT = 128,
  MS_PATH_LIMIT = 1024,
  MS_BUILD_ID_LIMIT = 64,
  /// The maximum size of a crumb's record for which a brief one is written instead.
  MS_BRIEF_LIMIT = 512,
  /// The maximum size of a record of any type: 8 KiB.
  MS_RECORD_WORDS_LIMIT = 1024,
  /// The most space that a crumb and its referenced records can need in a new chunk.
  MS_CRUMB_NEEDS_AT_MOST = sizeof(ms_thread_record) + sizeof(ms_queue_record) + MS_LABEL_LIMIT +
                           sizeof(ms_stack_record) + 8 * MS_FRAME_LIMIT + sizeof(ms_crumb_record) +
                           8 + MS_CATEGORY_LIMIT + MS_MESSAGE_LIMIT + MS_DATA_LIMIT,
};

_Static_assert(sizeof(ms_anchor) == 32, "on disk");
_Static_assert(sizeof(ms_pool_place) == 16, "on disk");
_Static_assert(sizeof(ms_log_identity) == 1048, "on disk");
_Static_assert(offsetof(ms_log_header, progress) == 1088, "on disk");
_Static_assert(sizeof(ms_log_header) <= MS_LOG_HEADER_SIZE, "on disk");
_Static_assert(sizeof(ms_log_header) <= MS_DEPLOYMENT_OFFSET, "no overlap");
_Static_assert(sizeof(ms_log_deployment) == 200, "on disk");
_Static_assert(MS_DEPLOYMENT_OFFSET + sizeof(ms_log_deployment) <= MS_FACTS_OFFSET, "no overlap");
_Static_assert(sizeof(ms_chunk_header) == 88, "on disk");
_Static_assert(sizeof(ms_record_head) == 16, "on disk");
_Static_assert(sizeof(ms_thread_record) == 40, "on disk");
_Static_assert(sizeof(ms_queue_record) == 32, "on disk");
_Static_assert(sizeof(ms_stack_record) == 24, "on disk");
_Static_assert(sizeof(ms_crumb_record) == 40, "on disk");
_Static_assert(sizeof(ms_template_record) == 24, "on disk");
_Static_assert(sizeof(ms_brief_record) == 40, "on disk");
_Static_assert(offsetof(ms_brief_record, values) == 37, "on disk");
_Static_assert(sizeof(ms_data_head) == 4, "on disk");
_Static_assert(sizeof(ms_module_record) == 56, "on disk");
_Static_assert(MS_CRUMB_NEEDS_AT_MOST + sizeof(ms_chunk_header) <= MS_CHUNK_SMALLEST, "fits");

static inline uint64_t ms_mix(uint64_t a, uint64_t b) {
  __uint128_t product = (__uint128_t)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint32_t ms_chunk_tag(uint64_t salt, uint64_t generation) {
  uint64_t mixed = ms_mix(salt ^ UINT64_C(0x8ebc6af09c88c6e3), generation + 1);
  return (uint32_t)mixed | 1;  // never 0, the value in an untouched file
}

/// Returns the start value for the checksums of a chunk's records, from its log and its generation.
static inline uint32_t ms_chunk_seed(uint64_t salt, uint64_t generation) {
  uint64_t seed = salt ^ (generation * 0x589965cc75374cc3ULL);
  return (uint32_t)(seed ^ seed >> 32);
}

/// Returns the start value for a record's checksum: the seed of its chunk plus its offset.
static inline uint32_t ms_record_seed(uint64_t salt, uint64_t generation, uint32_t offset) {
  return ms_chunk_seed(salt, generation) + offset;
}

/// Returns the CRC-32C of a record of `words` words, computed as if its tag were `tag`: first word, number, payload.
/// The caller passes the size, because a file that is truncated during the write has zeros in the record.
static inline uint32_t ms_record_sum_tagged(const ms_record_head *head, uint32_t words, uint32_t tag,
                                            uint32_t seed) {
  uint64_t first[2];
  memcpy(first, head, 8);
  first[0] = (first[0] & ~UINT64_C(0xffffffff)) | tag;
  first[1] = head->number;
  const uint64_t *payload = (const uint64_t *)(head + 1);
  return ms_crc(ms_crc(seed, first, 2), payload, (size_t)words - 2);
}

static inline uint32_t ms_record_sum(const ms_record_head *head, uint32_t words, uint32_t seed) {
  return ms_record_sum_tagged(head, words, head->tag, seed);
}

static inline uint64_t ms_anchor_sum(const ms_anchor *anchor, uint64_t salt) {
  return ms_crc((uint32_t)salt, (const uint64_t *)anchor, 3);
}

/// Returns the checksum of a chunk's header, computed as if it contained `generation`.
static inline uint64_t ms_chunk_header_sum(const ms_chunk_header *header, uint64_t generation) {
  ms_chunk_header summed = *header;
  summed.generation = generation;
  return ms_crc(1, (const uint64_t *)&summed, offsetof(ms_chunk_header, sum) / 8);
}

static inline uint64_t ms_identity_sum(const ms_log_identity *identity) {
  return ms_crc(1, (const uint64_t *)identity, offsetof(ms_log_identity, sum) / 8);
}

/// Includes the log's salt, so that the data of another log does not match.
static inline uint64_t ms_deployment_sum(const ms_log_deployment *deployment, uint64_t salt) {
  return ms_mix(salt | 1, ms_crc(1, (const uint64_t *)deployment, offsetof(ms_log_deployment, sum) / 8) | 1);
}

/// Returns a mark that the corruption of a single byte cannot turn into another mark.
static inline uint64_t ms_ending_mark(uint64_t salt, ms_ending ending) {
  return ending == MS_ENDING_NONE ? 0 : ms_mix(salt | 1, UINT64_C(0x2d358dccaa6c78a5) + ending);
}

#ifdef __cplusplus
}
#endif
#endif
