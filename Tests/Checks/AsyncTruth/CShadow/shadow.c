#include "CShadow.h"

#include "CRecorder.h"
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// --- The program's functions

enum {
  none = 255,
  thunk = 254,     // the compiler's own, between two functions
  closure = 128,   // of the way with this number
  most_functions = 8192,
  frames_room = 256,
};

typedef struct {
  uintptr_t begin, end;
  const char *name;
  uint8_t way;
  bool is_of_many;  // ways that go on in the same code, which has the name of one of them
} function;

static function functions[most_functions];
static int function_count;
static uintptr_t program_begin, program_end;

static int by_begin(const void *left, const void *right) {
  const function *a = left, *b = right;
  return a->begin < b->begin ? -1 : a->begin > b->begin;
}

// $s…5way07…Ya…F, and for the parts it goes on in: …TQ1_ or …TY0_.
static uint8_t way_of(const char *name) {
  const char *found = strncmp(name, "$s", 2) == 0 ? strstr(name, "5way") : NULL;
  if (!found) return none;
  int way = atoi(found + 4);
  const char *async = strstr(found, "Ya");
  const char *rest = async ? strchr(async, 'F') : NULL;
  if (!rest++) return none;
  if (strstr(rest, "TA") || strstr(rest, "TR") || !strncmp(rest, "TW", 2)) return thunk;
  return strstr(rest, "fU") || strstr(rest, "fu") ? (uint8_t)(closure + way) : (uint8_t)way;
}

static function *function_at(uintptr_t address) {
  int low = 0, high = function_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (functions[middle].begin <= address) low = middle + 1;
    else high = middle;
  }
  return low > 0 && address < functions[low - 1].end ? &functions[low - 1] : NULL;
}

// Where a function's last jump goes, or 0.
static uintptr_t last_jump(const function *from) {
#if defined(__x86_64__)
  const unsigned char *end = (const unsigned char *)from->end;
  int32_t distance;
  if (from->end - from->begin < 5 || end[-5] != 0xe9) return 0;
  memcpy(&distance, end - 4, sizeof distance);
  return from->end + (uintptr_t)(intptr_t)distance;
#else
  (void)from;
  return 0;
#endif
}

// Of equal functions the optimizer keeps one; the others become a jump to it. A way calls another one by its
// beginning: a jump to where another goes on (TQ and TY) is such a one.
static void learn_merged(void) {
  for (int i = 0; i < function_count; i++) {
    function *kept = function_at(last_jump(&functions[i]));
    if (kept == NULL || kept == &functions[i] || kept->way == functions[i].way) continue;
    if (strstr(kept->name, "TQ") || strstr(kept->name, "TY")) kept->is_of_many = true;
  }
}

static int note_program(struct dl_phdr_info *info, size_t size, void *bias) {
  (void)size;
  *(uintptr_t *)bias = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    program_begin = info->dlpi_addr + segment->p_vaddr;
    program_end = program_begin + segment->p_memsz;
  }
  return 1;  // the program comes first
}

bool shadow_learn(void) {
  uintptr_t bias = 0;
  dl_iterate_phdr(note_program, &bias);
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat size;
  if (file < 0 || fstat(file, &size) != 0) return false;
  const char *image = mmap(NULL, (size_t)size.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (image == MAP_FAILED) return false;
  const Elf64_Ehdr *header = (const void *)image;
  const Elf64_Shdr *sections = (const void *)(image + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const char *names = image + sections[sections[i].sh_link].sh_offset;
    const Elf64_Sym *symbols = (const void *)(image + sections[i].sh_offset);
    for (size_t s = 0; s < sections[i].sh_size / sizeof *symbols; s++) {
      const char *name = names + symbols[s].st_name;
      uint8_t way = ELF64_ST_TYPE(symbols[s].st_info) == STT_FUNC ? way_of(name) : none;
      if (way == none || function_count == most_functions) continue;
      uintptr_t begin = bias + symbols[s].st_value;
      functions[function_count++] = (function){begin, begin + symbols[s].st_size, name, way, false};
    }
  }
  qsort(functions, (size_t)function_count, sizeof *functions, by_begin);
  learn_merged();
  return function_count > 0 && function_count < most_functions;
}

static uint8_t way_at(uintptr_t address) {
  const function *found = function_at(address);
  return found ? found->way : none;
}

// --- Shadows

enum { live_shadows = 1 << 16 };

extern __attribute__((swiftcall)) void *swift_task_getCurrent(void);
extern __attribute__((swiftcall)) uint64_t swift_task_getJobTaskId(void *task);

static _Atomic(shadow *) live[live_shadows];  // by their tasks' ids
static shadow *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint64_t tasks;

static uint64_t current_task(void) {
  void *task = swift_task_getCurrent();
  return task ? swift_task_getJobTaskId(task) : 0;
}

uint64_t shadow_tasks(void) { return atomic_load(&tasks); }

shadow *shadow_begin(void) {
  pthread_mutex_lock(&lock);
  shadow *made = unused;
  if (made) unused = made->next;
  pthread_mutex_unlock(&lock);
  if (!made) made = malloc(sizeof *made);  // never given back: a handler may look at it
  made->task = 0;
  made->depth = 0;
  return made;
}

static void register_thread(void);

void shadow_enter(shadow *at, int way) {
  if (at->depth == 0) {
    register_thread();
    at->task = current_task();
    atomic_store(&live[at->task % live_shadows], at);
    atomic_fetch_add(&tasks, 1);
  }
  if (at->depth == SHADOW_DEPTH) abort();
  at->ways[at->depth] = (uint8_t)way;
  atomic_signal_fence(memory_order_seq_cst);
  at->depth++;
  atomic_signal_fence(memory_order_seq_cst);
}

void shadow_leave(shadow *at) {
  at->depth--;
  atomic_signal_fence(memory_order_seq_cst);
  if (at->depth > 0) return;
  shadow *self = at;
  atomic_compare_exchange_strong(&live[at->task % live_shadows], &self, NULL);
  at->task = 0;
  pthread_mutex_lock(&lock);
  at->next = unused;
  unused = at;
  pthread_mutex_unlock(&lock);
}

static shadow *shadow_of_this_task(void) {
  uint64_t task = current_task();
  shadow *found = task ? atomic_load(&live[task % live_shadows]) : NULL;
  return found && found->task == task ? found : NULL;
}

int shadow_write(shadow *at, char *text) {
  int length = 0;
  for (int i = 0; i < at->depth; i++) length += sprintf(text + length, "%d ", at->ways[i]);
  return length;
}

// --- Comparing

typedef enum { RIGHT, MISSING, SILENT, INVENTED } verdict;

typedef struct {
  shadow_kind kind;
  verdict verdict;
  uint8_t ways[SHADOW_DEPTH];
  int depth;
  uint32_t count;
  uintptr_t frames[frames_room];
} wrong;

enum { most_wrong = 8 };
static wrong wrongs[4][most_wrong];  // the first of each verdict
static _Atomic int wrong_count[4];

static _Atomic uint64_t sums[3][4];
static _Atomic uint64_t compared[3], off;

static bool is_caller(uintptr_t frame) { return (frame & MS_ASYNC_CALLER) != 0; }

static bool is_in_program(uintptr_t address) {
  return address >= program_begin && address < program_end;
}

/// The way that is on the stack itself: the outermost frame of the program's that is one, above all
/// that is on the same stack for other reasons. One that was interrupted past its first instructions
/// may be in its last, and have handed over to another already, for which it waits: it is none.
static uint8_t running_way(const uintptr_t *frames, uint32_t count) {
  enum { first_instructions = 48 };
  for (uint32_t i = count; i-- > 0;) {
    const function *found = is_caller(frames[i]) ? NULL : function_at(frames[i] - (i > 0));
    if (found == NULL) continue;
    if (found->is_of_many) return none;
    return i == 0 && frames[0] - found->begin >= first_instructions ? none : found->way;
  }
  return none;
}

enum { most_places = 8 };
static _Atomic uintptr_t places[most_places];  // where the runtime calls what a task goes on with

static bool is_place(uintptr_t frame) {
  for (int i = 0; i < most_places; i++) {
    if (frame && atomic_load(&places[i]) == frame) return true;
  }
  return false;
}

/// What called the outermost way of a stack is such a place.
static void learn_place(const uintptr_t *frames, uint32_t count) {
  uint32_t outermost = 0;
  for (uint32_t i = 0; i + 1 < count; i++) {
    if (!is_caller(frames[i]) && way_at(frames[i] - 1) < closure) outermost = i + 1;
  }
  if (outermost == 0 || is_caller(frames[outermost])) return;
  if (is_place(frames[outermost])) return;
  for (int i = 0; i < most_places; i++) {
    uintptr_t free_place = 0;
    if (atomic_compare_exchange_strong(&places[i], &free_place, frames[outermost])) return;
  }
}

/// Whether a thread was interrupted within an async function of the program, and not in what the runtime does
/// between two, nor in an async function of the runtime's: that may have let the task go, to run elsewhere.
static bool is_in_async_function(const uintptr_t *frames, uint32_t count) {
  bool is_ours = count > 0 && is_in_program(frames[0]);
  for (uint32_t i = 1; i < count; i++) {
    if (is_place(frames[i])) return is_ours;
    is_ours |= is_in_program(frames[i]);
  }
  return false;
}

/// The callers that are ways, and whether what lies between them can.
static int callers_of(const uintptr_t *frames, uint32_t count, uint8_t *found, bool *can) {
  int callers = 0;
  uint8_t over = none;  // the way whose closure was met: only that way can wait for it
  *can = true;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_caller(frames[i])) continue;
    uint8_t way = way_at(frames[i] & ~MS_ASYNC_CALLER);
    if (way == none || way == thunk) continue;
    if (way >= closure) {
      if (over != none) *can = false;
      over = way - closure;
      continue;
    }
    if (over != none && over != way) *can = false;
    over = none;
    if (callers < SHADOW_DEPTH) found[callers++] = way;
  }
  return callers;
}

static verdict judge(const uint8_t *ways, int depth, const uintptr_t *frames, uint32_t count,
                     bool complete, int *callers) {
  uint8_t found[SHADOW_DEPTH];
  bool can;
  *callers = callers_of(frames, count, found, &can);
  uint8_t running = running_way(frames, count);
  verdict best = INVENTED;
  for (int own = 0; own <= 1 && can; own++) {  // whether the top of the shadow waits itself
    if (depth < own) continue;
    // A way that runs has written itself down, but for its first and last instructions.
    bool is_top = depth > 0 && running == ways[depth - 1];
    if (running < closure && is_top != own) continue;
    int expected = depth - own, same = 0;
    while (same < *callers && same < expected && found[same] == ways[expected - 1 - same]) same++;
    if (same < *callers) continue;
    if (same == expected) return RIGHT;
    best = complete ? SILENT : MISSING;
  }
  return best;
}

static void compare(shadow_kind kind, const uint8_t *ways, int depth, const uintptr_t *frames,
                    uint32_t count, bool complete) {
  int callers;
  verdict verdict = judge(ways, depth, frames, count, complete, &callers);
  atomic_fetch_add(&sums[kind][verdict], 1);
  atomic_fetch_add(&compared[kind], (uint64_t)callers);
  if (verdict == RIGHT) return;
  int place = atomic_fetch_add(&wrong_count[verdict], 1);
  if (place >= most_wrong) return;
  wrong *at = &wrongs[verdict][place];
  at->kind = kind;
  at->verdict = verdict;
  at->depth = depth;
  memcpy(at->ways, ways, (size_t)depth);
  at->count = count < frames_room ? count : frames_room;
  memcpy(at->frames, frames, at->count * sizeof *frames);
}

void shadow_look(shadow *at) {
  static _Thread_local ms_walk_memory memory;
  if (!at && !(at = shadow_of_this_task())) return;
  uintptr_t frames[frames_room];
  ms_walk_end end;
  uint32_t count = ms_walk_here(frames, frames_room, 0, &end);
  learn_place(frames, count);
  compare(SHADOW_LOOKS, at->ways, at->depth, frames, count, end == MS_WALK_COMPLETE);
  for (int turn = 0; turn < 2; turn++) {
    const ms_walked *walked = ms_walk_remembering(&memory, 1, frames, frames_room, 0);
    compare(SHADOW_LOOKS, at->ways, at->depth, walked->frames, walked->count,
            walked->end == MS_WALK_COMPLETE);
  }
}

void shadow_compare_record(const char *text, const uint64_t *frames, uint32_t count,
                           bool complete) {
  uint8_t ways[SHADOW_DEPTH];
  int depth = 0;
  for (char *end; depth < SHADOW_DEPTH; text = end) {
    long way = strtol(text, &end, 10);
    if (end == text) break;
    ways[depth++] = (uint8_t)way;
  }
  compare(SHADOW_RECORDS, ways, depth, (const uintptr_t *)frames, count, complete);
}

// --- Interrupting

// What Dispatch leaves unblocked on its workers.
enum { most_threads = 256, interruption = SIGPROF };
static _Atomic int threads[most_threads];
static _Atomic int thread_count;
static _Atomic bool stopping;
static pthread_t interrupter;

static void register_thread(void) {
  static _Thread_local bool is_known;
  if (is_known) return;
  is_known = true;
  int place = atomic_fetch_add(&thread_count, 1);
  if (place < most_threads) atomic_store(&threads[place], (int)syscall(SYS_gettid));
}

static void interrupted(int number, siginfo_t *information, void *context) {
  (void)number, (void)information;
  int error = errno;
  shadow *at = shadow_of_this_task();
  if (!at || at->depth == 0) {
    atomic_fetch_add(&off, 1);
  } else {
    uintptr_t frames[frames_room];
    ms_walk_end end;
    uint32_t count = ms_walk_context(context, frames, frames_room, &end);
    if (is_in_async_function(frames, count)) {
      compare(SHADOW_INTERRUPTS, at->ways, at->depth, frames, count, end == MS_WALK_COMPLETE);
    } else {
      atomic_fetch_add(&off, 1);
    }
  }
  errno = error;
}

static void *interrupt(void *nothing) {
  uint32_t random = 1;
  while (!atomic_load(&stopping)) {
    random = random * 1664525 + 1013904223;
    struct timespec pause = {0, (long)(random >> 8) % 20000};
    nanosleep(&pause, NULL);
    int count = atomic_load(&thread_count);
    if (count > most_threads) count = most_threads;
    if (count == 0) continue;
    int thread = atomic_load(&threads[(random >> 16) % (uint32_t)count]);
    if (thread != 0) syscall(SYS_tgkill, getpid(), thread, interruption);
  }
  return nothing;
}

void shadow_interrupt_start(void) {
  struct sigaction action = {.sa_sigaction = interrupted, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(interruption, &action, NULL);
  pthread_create(&interrupter, NULL, interrupt, NULL);
}

void shadow_interrupt_stop(void) {
  atomic_store(&stopping, true);
  pthread_join(interrupter, NULL);
}

// --- What came of it

shadow_sums shadow_result(shadow_kind kind) {
  return (shadow_sums){sums[kind][RIGHT],    sums[kind][MISSING], sums[kind][SILENT],
                       sums[kind][INVENTED], compared[kind],      kind == SHADOW_INTERRUPTS ? off : 0};
}

static void print_frame(uintptr_t frame) {
  uintptr_t address = frame & ~MS_ASYNC_CALLER;
  const function *found = function_at(address);
  Dl_info known = {0};
  dladdr((void *)address, &known);
  const char *name = found ? found->name : known.dli_sname ? known.dli_sname : "?";
  printf("    %s %#lx %s %s\n", is_caller(frame) ? "waits" : "     ", address, name,
         is_in_program(address) ? "" : known.dli_fname ? known.dli_fname : "in no module");
}

static void print_wrong(const wrong *at) {
  static const char *kinds[] = {"look", "record", "interrupt"};
  static const char *verdicts[] = {"right", "cut", "silently cut", "invented"};
  printf("%s, %s; shadow:", kinds[at->kind], verdicts[at->verdict]);
  for (int i = 0; i < at->depth; i++) printf(" %d", at->ways[i]);
  printf("\n");
  for (uint32_t i = 0; i < at->count; i++) print_frame(at->frames[i]);
}

void shadow_print_wrong(void) {
  for (verdict verdict = SILENT; verdict <= INVENTED; verdict++) {
    for (int i = 0; i < wrong_count[verdict] && i < most_wrong; i++) print_wrong(&wrongs[verdict][i]);
  }
  fflush(stdout);
}
