// The bytes of a crash, as docs/internals/crash-capture.md specifies them: records in the log's crash chunk,
// framed as all others are. `head.number` says which crash of the process a record belongs to.
#ifndef MAINSTAY_CRASH_FORMAT_H
#define MAINSTAY_CRASH_FORMAT_H

#include "ms_log_format.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  MS_RECORD_CRASH = 16,            ///< first of its crash: the signal
  MS_RECORD_CRASH_REGISTERS = 17,
  MS_RECORD_CRASH_THREAD = 18,     ///< one thread and its stack
  MS_RECORD_CRASH_TEXT = 19,
  MS_RECORD_CRASH_TASK = 20,       ///< the task that crashed
  MS_RECORD_CRASH_BYTES = 21,
  MS_RECORD_CRASH_PROGRESS = 22,   ///< how far the crash has come
  MS_RECORD_CRASH_THROWN = 23,     ///< where the crashed thread last threw a Swift error
  MS_RECORD_CRASH_TASK_NAME = 24,  ///< what the program calls the task that crashed
  MS_RECORD_CRASH_TASK_PLACE = 25,  ///< the task that a thread runs, whose child it is, where it runs
  MS_RECORD_CRASH_WAITS = 26,       ///< how many tasks wait, as far as it is known
  MS_RECORD_CRASH_WAIT = 27,        ///< a place where some of them wait
  MS_RECORD_CRASH_ALL_TASKS = 28,   ///< how many tasks there are, where the runtime counts them
  MS_RECORD_CRASH_CONTEXT = 29,       ///< what the program tells of all that happens where it crashed
} ms_crash_record_type;

/// Whose signal a record of type MS_RECORD_CRASH tells of.
typedef enum {
  MS_CRASH_FIRST = 0,
  MS_CRASH_MEANWHILE = 1,  ///< another thread crashed while the first was being recorded
  MS_CRASH_NESTED = 2,     ///< the recording itself met a fault, in `step`
  MS_CRASH_AFTERWARDS = 3,  ///< the same thread's, in a handler that the first was handed to
} ms_crash_role;

typedef enum {
  MS_CRASH_ON_MAIN = 1,
  MS_CRASH_MAIN_UNKNOWN = 2,
  MS_CRASH_SENT = 4,       ///< by a process, which `sender_…` names; else by the kernel
} ms_crash_flags;

typedef struct {
  ms_record_head head;
  uint64_t ticks;
  uint64_t address;  ///< si_addr; of a SIGSYS the number of the system call
  int32_t signal;
  int32_t code;
  uint32_t sender_process;
  uint32_t sender_user;
  uint32_t kernel_id;
  uint32_t thread;  ///< the thread's ordinal in the log, 0 if it has left no crumb
  uint8_t role;
  uint8_t flags;
  uint8_t step;
  uint8_t reserved[5];
} ms_crash_record;

typedef enum { MS_MACHINE_X86_64 = 62, MS_MACHINE_AARCH64 = 183 } ms_machine;  // as ELF has them

enum { MS_REGISTER_LIMIT = 40 };

/// x86_64: rip rsp rbp rax rbx rcx rdx rsi rdi r8…r15 rflags err trapno cr2.
/// aarch64: pc sp x0…x30 pstate fault_address.
typedef struct {
  ms_record_head head;
  uint32_t machine;
  uint32_t count;
  uint64_t values[];
} ms_crash_registers_record;

/// The result of an attempt to read a thread's stack.
typedef enum {
  MS_STACK_BY_RULES = 0,
  MS_STACK_BY_FRAME_POINTERS = 1,  ///< the walk by rules met a fault
  MS_STACK_BY_LIBUNWIND = 2,
  MS_STACK_BLOCKED = 3,     ///< none: the thread blocks the signal that asks for it
  MS_STACK_NO_ANSWER = 4,   ///< none: it did not answer in time
  MS_STACK_GONE = 5,        ///< none: it ended meanwhile
  MS_STACK_LOST = 6,        ///< none: every walk met a fault
  MS_STACK_NO_ROOM = 7,     ///< none: there was too little room on its own to walk it, and on ours
  MS_STACK_ROUTINE = 8,     ///< the instruction alone: the host had recovered here again and again
} ms_stack_source;

typedef struct {
  ms_record_head head;
  uint64_t queue_serial;  ///< 0: on no queue
  uint32_t kernel_id;
  uint32_t thread;        ///< the thread's ordinal in the log, 0 if it has left no crumb
  char name[16];
  uint16_t count;
  uint8_t end;            ///< ms_walk_end
  uint8_t source;         ///< ms_stack_source
  uint8_t flags;          ///< MS_CRASH_ON_MAIN, …_MAIN_UNKNOWN
  uint8_t crashed;
  uint8_t label_size;
  uint8_t first_is_instruction;
  uint64_t frames[];
  // the queue's label
} ms_crash_thread_record;

typedef enum {
  MS_TEXT_SWIFT = 1,            ///< what the Swift runtime said: fatalError and the like
  MS_TEXT_C_LIBRARY = 2,        ///< what the C library said: assert, a broken heap
  MS_TEXT_EXCEPTION_TYPE = 3,   ///< of an uncaught C++ exception, mangled
  MS_TEXT_EXCEPTION = 4,        ///< its what()
} ms_text_source;

typedef struct {
  ms_record_head head;
  uint16_t source;
  uint16_t size;
  uint32_t reserved;
  // the text
} ms_crash_text_record;

typedef struct {
  ms_record_head head;
  uint64_t task;
} ms_crash_task_record;

typedef struct {
  ms_record_head head;
  uint64_t task;
  uint16_t size;
  uint8_t reserved[6];
  // the name
} ms_crash_task_name_record;

typedef struct {
  ms_record_head head;
  uint64_t task;
  uint64_t parent;     ///< the id of the task whose child it is; 0: of none, or of one not known
  uint64_t executor;   ///< the same for all that run on one actor; 0: on none
  uint32_t kernel_id;  ///< of the thread that runs it
  uint8_t priority;    ///< as Swift numbers them; 0: not known
  uint8_t place;       ///< 1: on no actor; 2: the main actor; 3: an actor; 4: an executor; 0: not known
  uint16_t size;
  // the name of the actor's or the executor's type
} ms_crash_task_place_record;

typedef struct {
  ms_record_head head;
  uint64_t missed;  ///< how often a task found no room where it began to wait: whether it waits is not known
  uint32_t tasks;   ///< that wait
  uint32_t places;  ///< where they do, one record each; there may be more places than that
} ms_crash_waits_record;

typedef struct {
  ms_record_head head;
  uint64_t tasks;  ///< on threads, that wait, and that have never run
} ms_crash_all_tasks_record;

typedef enum {
  MS_WAITS_AGAIN = 1,  ///< each of these tasks has waited in this place before
} ms_wait_flags;

typedef struct {
  ms_record_head head;
  uint64_t oldest_ns;  ///< for how long they have waited
  uint64_t newest_ns;
  uint64_t task;     ///< the id of the one that has waited longest
  uint64_t subject;  ///< the executor whose turn they wait for, 0 for any thread; else 0
  uint32_t tasks;
  uint16_t count;
  uint8_t end;   ///< ms_walk_end
  uint8_t kind;  ///< 0: a continuation; 1: another task; 2: a group of tasks; 3: their turn on an executor
  uint8_t flags;
  uint8_t reserved[5];
  uint16_t size;
  uint64_t frames[];  ///< where they go on, and who waits for them in turn
  // the name of the actor's or the executor's type
} ms_crash_wait_record;

typedef enum { MS_BYTES_CODE = 1, MS_BYTES_STACK = 2 } ms_bytes_place;

typedef struct {
  ms_record_head head;
  uint64_t address;
  uint32_t size;
  uint32_t place;
  // the bytes
} ms_crash_bytes_record;

typedef enum {
  MS_CRASH_BEGUN = 0,     ///< in the header only
  MS_CRASH_RECORDED = 1,  ///< all of it is on file
  MS_CRASH_HANDED = 2,    ///< the host's handler, which may recover, has it now
  MS_CRASH_RECOVERED = 3, ///< the process went on: it was no crash
} ms_crash_stage;

typedef struct {
  ms_record_head head;
  uint64_t ticks;
  uint32_t stage;
  uint32_t threads_found;
  uint32_t threads_walked;
  uint16_t out_of_time;      ///< the budget was used up before all threads had answered
  uint16_t list_incomplete;  ///< not all threads could be listed
} ms_crash_progress_record;

enum { MS_OPEN_FAULTS = 8 };

/// A fault that was recorded, and that the process is not known to have survived.
typedef struct {
  uint64_t ticks;
  uint64_t crash;  ///< ms_open_fault_word; 0: none
} ms_open_fault;

static inline uint64_t ms_open_fault_word(uint32_t number, uint32_t thread, int signal,
                                          uint32_t stage) {
  return (uint64_t)number << 32 | (uint64_t)(thread & 0x3fffff) << 10 |
         (uint64_t)(signal & 0x7f) << 3 | (stage & 7);
}

static inline uint32_t ms_open_fault_number(uint64_t crash) { return (uint32_t)(crash >> 32); }
static inline uint32_t ms_open_fault_thread(uint64_t crash) {
  return (uint32_t)(crash >> 10) & 0x3fffff;  // the kernel gives no larger one
}
static inline int ms_open_fault_signal(uint64_t crash) { return (int)(crash >> 3 & 0x7f); }
static inline uint32_t ms_open_fault_stage(uint64_t crash) { return (uint32_t)(crash & 7); }

/// The part of the log's header that tells how the run ended, so that the next start need not read the rest. Each
/// word is stored atomically.
typedef struct {
  uint64_t ended;          ///< in ticks, when the log was marked as cleanly ended; else 0
  uint64_t asked_to_end;   ///< SIGTERM, SIGINT or SIGHUP, whichever came last; else 0
  uint64_t hanging_since;  ///< in ticks, while an executor does not answer; else 0
  uint64_t oom_kills;      ///< 1 + how many the control group had had when the run began; else 0
  ms_open_fault faults[MS_OPEN_FAULTS];
  uint64_t oom_group;      ///< tells that control group from every other one; else 0
  uint64_t is_alone;       ///< 1: no other process was in it then, and this one has not forked
  uint64_t before_salt;    ///< of the log that this one has replaced; else 0
  uint64_t before_ending;  ///< ms_told_word: how the run of that log ended
  uint64_t has_handler;    ///< 1: a crash handler records into this log
  uint64_t exit_status;    ///< 1 + the status that exit was called with; else 0
  uint64_t takes_ask;      ///< 1: the process itself takes the signal that asked it to end
  uint64_t alive;          ///< in ticks, when the hang watch last looked; else 0
  uint64_t hanging;        ///< what does not answer, while that is so: 0 the main queue, 1 a pool, 2 a queue, 3 an actor, 4 a loop
} ms_last_words;

enum { MS_LAST_WORDS_OFFSET = 2048 };  // in the header

typedef struct {
  ms_record_head head;
  uint16_t count;
  uint8_t end;  ///< ms_walk_end
  uint8_t reserved[5];
  uint64_t frames[];
} ms_crash_thrown_record;

typedef struct {
  ms_record_head head;
  uint16_t count;
  uint16_t size;
  uint32_t reserved;
  // keys and values, as those of a crumb
} ms_crash_context_record;

enum {
  MS_CRASH_FRAME_LIMIT = 512,  ///< of the thread that crashed
  MS_CRASH_TEXT_LIMIT = 1024,
  MS_CRASH_BYTES_LIMIT = 64,
  MS_TASK_NAME_LIMIT = 256,
};

_Static_assert(sizeof(ms_last_words) == 232, "on disk");
_Static_assert(MS_FACTS_OFFSET + sizeof(uint64_t) <= MS_LAST_WORDS_OFFSET, "no overlap");
_Static_assert(sizeof(ms_crash_record) == 64, "on disk");
_Static_assert(sizeof(ms_crash_registers_record) == 24, "on disk");
_Static_assert(sizeof(ms_crash_thread_record) == 56, "on disk");
_Static_assert(sizeof(ms_crash_text_record) == 24, "on disk");
_Static_assert(sizeof(ms_crash_task_record) == 24, "on disk");
_Static_assert(sizeof(ms_crash_task_name_record) == 32, "on disk");
_Static_assert(sizeof(ms_crash_task_place_record) == 48, "on disk");
_Static_assert(sizeof(ms_crash_bytes_record) == 32, "on disk");
_Static_assert(sizeof(ms_crash_progress_record) == 40, "on disk");
_Static_assert(sizeof(ms_crash_thrown_record) == 24, "on disk");
_Static_assert(sizeof(ms_crash_waits_record) == 32, "on disk");
_Static_assert(sizeof(ms_crash_wait_record) == 64, "on disk");
_Static_assert(sizeof(ms_crash_all_tasks_record) == 24, "on disk");
_Static_assert(sizeof(ms_crash_context_record) == 24, "on disk");
_Static_assert(sizeof(ms_crash_thread_record) + 8 * MS_CRASH_FRAME_LIMIT + MS_LABEL_LIMIT <=
                   8 * MS_RECORD_WORDS_LIMIT,
               "the largest record of all");

#ifdef __cplusplus
}
#endif
#endif
