// Records the files from which the process runs code, so that addresses can be symbolicated later.

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ms_module.h"
#include "ms_walk.h"
#include "log_internal.h"

enum { most_modules = 1024 };

typedef struct {
  uint64_t start, end;  // the range of the text
  uint64_t identity;    // the first 8 bytes of the build id, or a hash of the path
  bool lasting;         // never unmapped
} known_module;

// Written by the holder of `modules_busy`, read by all threads; `count` is stored last.
struct ms_known_modules {
  _Atomic uint32_t count;
  known_module modules[most_modules];
};

typedef struct {
  uint64_t start, end, bias;
  const uint8_t *build_id;
  uint32_t build_id_size;
  enum ms_identity identity;
  const char *path;
} found_module;

static void find_build_id(found_module *module, const uint8_t *note, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *header = (const ElfW(Nhdr) *)note;
    size_t name = ((size_t)header->n_namesz + 3) & ~(size_t)3;
    size_t contents = ((size_t)header->n_descsz + 3) & ~(size_t)3;
    size_t whole = sizeof *header + name + contents;
    if (whole > size) return;
    if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == 4 &&
        memcmp(header + 1, "GNU", 4) == 0) {
      module->build_id = (const uint8_t *)(header + 1) + name;
      module->build_id_size =
          header->n_descsz < MS_BUILD_ID_LIMIT ? header->n_descsz : MS_BUILD_ID_LIMIT;
      return;
    }
    note += whole;
    size -= whole;
  }
}

static found_module describe(uint64_t bias, const ElfW(Phdr) *headers, size_t count,
                             const char *path) {
  found_module module = {UINT64_MAX, 0, bias, NULL, 0, MS_IDENTITY_BUILD_ID, path ? path : ""};
  for (size_t i = 0; i < count; i++) {
    const ElfW(Phdr) *header = &headers[i];
    if (header->p_type == PT_LOAD && (header->p_flags & PF_X)) {
      uint64_t start = bias + header->p_vaddr, end = start + header->p_memsz;
      if (start < module.start) module.start = start;
      if (end > module.end) module.end = end;
    } else if (header->p_type == PT_NOTE && module.build_id == NULL) {
      find_build_id(&module, (const uint8_t *)(bias + header->p_vaddr), header->p_memsz);
    }
  }
  return module;
}

static uint64_t nanoseconds_of(struct timespec time) {
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/// A parser of `/proc/self/maps`, one line for each mapping: `start-end rights offset device inode path`.
typedef struct {
  uint64_t number, start, inode;
  uint32_t word;  // the index of the word in the line
  bool is_there;  // true if the mapping contains the address
} map_line;

static void read_map_byte(map_line *line, char byte, uint64_t address) {
  bool ends_word = byte == ' ' || byte == '\n' || (byte == '-' && line->word == 0);
  if (!ends_word) {
    unsigned base = line->word == 4 ? 10 : 16, digit = (unsigned)(byte - '0');
    if (digit > 9) digit = (unsigned)(byte - 'a') + 10;
    line->number = line->number * base + digit;
    return;
  }
  if (byte == '-') line->start = line->number;
  if (byte == ' ' && line->word == 0) line->is_there = line->start <= address && address < line->number;
  if (line->word == 4) line->inode = line->number;
  line->number = 0;
  if (byte != '-') line->word++;
  if (byte == '\n') *line = (map_line){0};
}

/// Returns the inode of the file that is mapped at the address; 0 if none is mapped or the kernel does not provide
/// the inode.
static uint64_t inode_at(uint64_t address) {
  // System calls, because the C library's functions are cancellation points.
  int maps = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return 0;
  map_line line = {0};
  uint64_t inode = 0;
  char bytes[1024];
  ssize_t count;
  while (inode == 0 && (count = syscall(SYS_read, maps, bytes, sizeof bytes)) > 0) {
    for (ssize_t i = 0; i < count && inode == 0; i++) {
      read_map_byte(&line, bytes[i], address);
      if (line.is_there && line.word > 4) inode = line.inode;
    }
  }
  syscall(SYS_close, maps);
  return inode;
}

/// Identifies a file without a build id by its stamp. A library may have been replaced since it was loaded, so its
/// inode must match the mapping's.
static void stamp_file(found_module *module, bool is_program, ms_file_stamp *stamp) {
  struct stat status;
  if (module->build_id != NULL || (!is_program && module->path[0] != '/')) return;
  int saved = errno;
  bool is_known = stat(is_program ? "/proc/self/exe" : module->path, &status) == 0 &&
                  (is_program || status.st_ino == inode_at(module->start));
  errno = saved;
  if (!is_known) return;
  *stamp = (ms_file_stamp){status.st_ino, (uint64_t)status.st_size, nanoseconds_of(status.st_mtim),
                           nanoseconds_of(status.st_ctim)};
  module->build_id = (const uint8_t *)stamp;
  module->build_id_size = sizeof *stamp;
  module->identity = MS_IDENTITY_STAMP;
}

/// Returns the first bytes of the build id; for a file without one, a hash of its path.
static uint64_t identity_of(const found_module *module) {
  uint64_t identity = 0;
  if (module->build_id_size >= sizeof identity && module->identity == MS_IDENTITY_BUILD_ID) {
    memcpy(&identity, module->build_id, sizeof identity);
    return identity;
  }
  for (const char *c = module->path; *c; c++) identity = ms_mix(identity ^ (uint8_t)*c ^ 256, MS_LOG_MAGIC);
  return identity;
}

static const known_module *known_at(const ms_log *log, uint64_t address) {
  const struct ms_known_modules *known = log->known;
  for (uint32_t i = atomic_load_explicit(&known->count, memory_order_acquire); i > 0; i--) {
    const known_module *module = &known->modules[i - 1];
    if (address >= module->start && address < module->end) return module;
  }
  return NULL;
}

static void write_module(ms_log *log, const found_module *module, uint64_t ticks) {
  size_t path = strnlen(module->path, MS_PATH_LIMIT);
  size_t bytes = sizeof(ms_module_record) + module->build_id_size + path;
  uint32_t words = (uint32_t)((bytes + 7) / 8);
  uint32_t count = atomic_load_explicit(&log->known->count, memory_order_relaxed);
  if (count == most_modules || log->modules_used + words * 8 > log->modules_size) {
    atomic_fetch_add_explicit((_Atomic uint64_t *)&log->header->progress.modules_unlisted, 1,
                              memory_order_relaxed);
    return;
  }
  ((uint64_t *)(log->modules + log->modules_used))[words - 1] = 0;
  ms_module_record *record = (ms_module_record *)ms_record_begin(
      log->modules, log->modules_used, ms_chunk_tag(log->salt, log->modules_generation), words,
      MS_RECORD_MODULE);
  record->text_start = module->start;
  record->text_end = module->end;
  record->bias = module->bias;
  record->seen_ticks = ticks;
  record->build_id_size = (uint16_t)module->build_id_size;
  record->path_size = (uint16_t)path;
  record->identity = module->identity;
  memcpy(record + 1, module->build_id ? module->build_id : (const uint8_t *)"",
         module->build_id_size);
  memcpy((uint8_t *)(record + 1) + module->build_id_size, module->path, path);
  ms_record_commit(&record->head, words, ms_record_seed(log->salt, log->modules_generation,
                                                        log->modules_used));
  log->modules_used += words * 8;
}

static void remember(ms_log *log, const found_module *module) {
  bool lasting = ms_walk_code_stays(module->start);
  uint32_t count = atomic_load_explicit(&log->known->count, memory_order_relaxed);
  if (count == most_modules) return;
  log->known->modules[count] =
      (known_module){module->start, module->end, identity_of(module), lasting};
  atomic_store_explicit(&log->known->count, count + 1, memory_order_release);
}

static bool hold_modules(ms_log *log) {
  uint32_t free_word = 0;
  return atomic_compare_exchange_strong(&log->modules_busy, &free_word, 1);
}

static void let_modules_go(ms_log *log) { atomic_store(&log->modules_busy, 0); }

static void list_if_new(ms_log *log, found_module *module, bool is_program, uint64_t ticks) {
  if (module->start >= module->end) return;
  const known_module *known = known_at(log, module->start);
  if (known && known->start == module->start && known->identity == identity_of(module)) return;
  ms_file_stamp own;
  stamp_file(module, is_program, &own);
  write_module(log, module, ticks);
  remember(log, module);
}

typedef struct {
  ms_log *log;
  const char *executable;
} listing;

static int list_one(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  listing *state = context;
  const char *path = info->dlpi_name;
  if (path == NULL || path[0] == 0) path = state->executable;
  found_module module = describe(info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum, path);
  bool is_program = path[0] != 0 && path == state->executable;
  if (is_program && module.build_id && state->log->build_id == NULL) {
    state->log->build_id = module.build_id;
    state->log->build_id_size = module.build_id_size;
  }
  list_if_new(state->log, &module, is_program, ms_ticks(state->log));
  state->executable = "";
  return 0;
}

/// Records all loaded modules. The registry's lock prevents a concurrent `fork`: in the child, the loader's lock that
/// `dl_iterate_phdr` takes would stay locked.
static void list_all(ms_log *log) {
  ms_log_lock_registry();
  if (hold_modules(log)) {
    listing state = {log, log->header->identity.executable};
    dl_iterate_phdr(list_one, &state);
    let_modules_go(log);
  }
  ms_log_unlock_registry();
}

size_t ms_modules_memory(void) { return sizeof(struct ms_known_modules); }

void ms_modules_start(ms_log *log) {
  list_all(log);
}

void ms_log_list_modules(ms_log *log) {
  if (!ms_log_visit(log)) return;
  int state = ms_begin_uncancellable();
  list_all(log);
  ms_end_uncancellable(state);
  ms_log_unvisit(log);
}

/// Finds the object at `address`, from its program headers in memory.
static bool find_object(uint64_t address, found_module *module) {
  ms_module loaded;
  size_t count;
  const ElfW(Phdr) *headers = ms_module_at(address, &loaded) ? ms_module_headers(&loaded, &count) : NULL;
  if (headers == NULL) return false;
  *module = describe(loaded.bias, headers, count, loaded.path);
  return true;
}

/// Makes sure that the modules of these frames, captured at `ticks`, are recorded. Returns true if all of them are
/// never unloaded. If another thread records modules now, a missing module is recorded at the next call. Signal
/// safety: safe (uses the loader's lock-free lookup).
bool ms_modules_note(ms_log *log, const uintptr_t *frames, uint32_t count,
                     uint64_t ticks) {
  bool all_lasting = true;
  for (uint32_t i = 0; i < count; i++) {
    uintptr_t address = frames[i] & ~(uintptr_t)MS_FRAME_ASYNC;
    const known_module *known = known_at(log, address);
    if (known && known->lasting) continue;
    all_lasting = false;
    found_module module;
    if (!find_object(address, &module) || !hold_modules(log)) continue;
    list_if_new(log, &module, false, ticks);
    let_modules_go(log);
  }
  return all_lasting;
}
