// The binary format of a crash, as docs/internals/crash-capture.md specifies it: records in the log's crash chunk,
// framed like all other records. `head.number` is the number of the crash in the process to which a record belongs.
#ifndef MAINSTAY_CRASH_FORMAT_H
#define MAINSTAY_CRASH_FORMAT_H

#include "ms_log_format.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  MS_RECORD_CRASH = 16,            ///< first record of a crash: the signal
  MS_RECORD_CRASH_REGISTERS = 17,
  MS_RECORD_CRASH_THREAD = 18,     ///< one thread and its stack
  MS_RECORD_CRASH_TEXT = 19,
  MS_RECORD_CRASH_TASK = 20,       ///< the task that crashed
  MS_RECORD_CRASH_BYTES = 21,
  MS_RECORD_CRASH_PROGRESS = 22,   ///< the stage up to which the crash is recorded
  MS_RECORD_CRASH_THROWN = 23,     ///< the place where the crashed thread last threw a Swift error
  MS_RECORD_CRASH_TASK_NAME = 24,  ///< the program's name for the crashed task
  MS_RECORD_CRASH_TASK_PLACE = 25,  ///< a task that a thread runs, with its parent and its executor
  MS_RECORD_CRASH_WAITS = 26,       ///< the number of waiting tasks, as far as known
  MS_RECORD_CRASH_WAIT = 27,        ///< a place where some of the tasks wait
  MS_RECORD_CRASH_ALL_TASKS = 28,   ///< the number of all tasks, if the runtime counts them
  MS_RECORD_CRASH_CONTEXT = 29,       ///< the context values (`withCrumbs`) of the crashed thread
} ms_crash_record_type;

/// The relation of a crash to the first crash of the process.
typedef enum {
  MS_CRASH_FIRST = 0,
  MS_CRASH_MEANWHILE = 1,  ///< another thread crashed while the first crash was being recorded
  MS_CRASH_NESTED = 2,     ///< the recording itself met a fault, in `step`
  MS_CRASH_AFTERWARDS = 3,  ///< the same thread crashed again, in the handler to which the first crash was forwarded
} ms_crash_role;

typedef enum {
  MS_CRASH_ON_MAIN = 1,
  MS_CRASH_MAIN_UNKNOWN = 2,
  MS_CRASH_SENT = 4,       ///< sent by the process in `sender_…`; otherwise raised by the kernel
} ms_crash_flags;

typedef struct {
  ms_record_head head;
  uint64_t ticks;
  uint64_t address;  ///< si_addr; for SIGSYS the number of the system call
  int32_t signal;
  int32_t code;
  uint32_t sender_process;
  uint32_t sender_user;
  uint32_t kernel_id;
  uint32_t thread;  ///< the thread's ordinal in the log, 0 if it has recorded no crumb
  uint8_t role;
  uint8_t flags;
  uint8_t step;
  uint8_t reserved[5];
} ms_crash_record;

typedef enum { MS_MACHINE_X86_64 = 62, MS_MACHINE_AARCH64 = 183 } ms_machine;  // the values of ELF's e_machine

enum { MS_REGISTER_LIMIT = 40 };

/// x86_64: rip rsp rbp rax rbx rcx rdx rsi rdi r8…r15 rflags err trapno cr2.
/// aarch64: pc sp x0…x30 pstate fault_address.
typedef struct {
  ms_record_head head;
  uint32_t machine;
  uint32_t count;
  uint64_t values[];
} ms_crash_registers_record;

/// The result of an attempt to capture a thread's stack.
typedef enum {
  MS_STACK_BY_RULES = 0,
  MS_STACK_BY_FRAME_POINTERS = 1,  ///< the walk by unwind rules met a fault
  MS_STACK_BY_LIBUNWIND = 2,
  MS_STACK_BLOCKED = 3,     ///< no stack: the thread blocks the capture signal
  MS_STACK_NO_ANSWER = 4,   ///< no stack: the thread did not respond in time
  MS_STACK_GONE = 5,        ///< no stack: the thread ended meanwhile
  MS_STACK_LOST = 6,        ///< no stack: every walk met a fault
  MS_STACK_NO_ROOM = 7,     ///< no stack: too little space for a walk, on the thread's stack and on ours
  MS_STACK_ROUTINE = 8,     ///< only the instruction: the host repeatedly recovered from faults here
} ms_stack_source;

typedef struct {
  ms_record_head head;
  uint64_t queue_serial;  ///< 0: no queue
  uint32_t kernel_id;
  uint32_t thread;        ///< the thread's ordinal in the log, 0 if it has recorded no crumb
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
  MS_TEXT_SWIFT = 1,            ///< a message of the Swift runtime, such as fatalError's
  MS_TEXT_C_LIBRARY = 2,        ///< a message of the C library: assert, heap corruption
  MS_TEXT_EXCEPTION_TYPE = 3,   ///< the mangled type of an uncaught C++ exception
  MS_TEXT_EXCEPTION = 4,        ///< the result of the exception's what()
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
  uint64_t parent;     ///< the id of the parent task; 0: none or unknown
  uint64_t executor;   ///< the address of the actor or executor; 0: no actor
  uint32_t kernel_id;  ///< the kernel id of the thread that runs the task
  uint8_t priority;    ///< Swift's numeric priority; 0: unknown
  uint8_t place;       ///< 1: no actor; 2: the main actor; 3: an actor; 4: an executor; 0: unknown
  uint16_t size;
  // the name of the actor's or the executor's type
} ms_crash_task_place_record;

typedef struct {
  ms_record_head head;
  uint64_t reserved;  ///< not 0 in older logs, which have no `unread`
  uint32_t tasks;     ///< the number of waiting tasks
  uint32_t places;    ///< the number of places where tasks wait; the first places have a record each
  uint64_t unread;    ///< bytes of memory that were not searched in time, including pages without content
} ms_crash_waits_record;

typedef struct {
  ms_record_head head;
  uint64_t tasks;  ///< running, waiting and never started tasks
} ms_crash_all_tasks_record;

typedef struct {
  ms_record_head head;
  uint64_t reserved[2];  ///< not 0 in older logs
  uint64_t task;     ///< the lowest id of these tasks; in older logs, the task that has waited longest
  uint64_t subject;  ///< the executor whose turn the tasks wait for, 0 for the global pool; else 0
  uint32_t tasks;
  uint16_t count;
  uint8_t end;   ///< ms_walk_end
  uint8_t kind;  ///< 0: a continuation; 1: a task; 2: a task group; 3: a turn on an executor
  uint8_t reserved_flags[6];  ///< not 0 in older logs
  uint16_t size;
  uint64_t frames[];  ///< the resume address of the tasks, then their async callers
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
  MS_CRASH_BEGUN = 0,     ///< recorded only in the header
  MS_CRASH_RECORDED = 1,  ///< recorded completely
  MS_CRASH_HANDED = 2,    ///< forwarded to the host's handler, which may recover
  MS_CRASH_RECOVERED = 3, ///< survived: the process continued
} ms_crash_stage;

typedef struct {
  ms_record_head head;
  uint64_t ticks;
  uint32_t stage;
  uint32_t threads_found;
  uint32_t threads_walked;
  uint16_t out_of_time;      ///< the time budget ran out before all threads had responded
  uint16_t list_incomplete;  ///< the list of threads is incomplete
} ms_crash_progress_record;

enum { MS_OPEN_FAULTS = 8 };

/// A recorded fault that the process is not known to have survived.
typedef struct {
  uint64_t ticks;
  uint64_t crash;  ///< ms_open_fault_word; 0: empty
} ms_open_fault;

static inline uint64_t ms_open_fault_word(uint32_t number, uint32_t thread, int signal,
                                          uint32_t stage) {
  return (uint64_t)number << 32 | (uint64_t)(thread & 0x3fffff) << 10 |
         (uint64_t)(signal & 0x7f) << 3 | (stage & 7);
}

static inline uint32_t ms_open_fault_number(uint64_t crash) { return (uint32_t)(crash >> 32); }
static inline uint32_t ms_open_fault_thread(uint64_t crash) {
  return (uint32_t)(crash >> 10) & 0x3fffff;  // the maximum of the kernel's thread ids
}
static inline int ms_open_fault_signal(uint64_t crash) { return (int)(crash >> 3 & 0x7f); }
static inline uint32_t ms_open_fault_stage(uint64_t crash) { return (uint32_t)(crash & 7); }

/// Whether crashes are recorded in a log.
typedef enum {
  MS_HANDLER_NONE,
  MS_HANDLER_INSTALLED,
  MS_HANDLER_OF_RUN,  ///< no handler: a library that `crashscan run` preloaded wrote the log
} ms_handler_state;

/// The part of the log's header from which the next start derives how the run ended, without reading the rest. Each
/// word is stored atomically.
typedef struct {
  uint64_t ended;          ///< the time at which the log was marked as cleanly ended, in ticks; else 0
  uint64_t asked_to_end;   ///< the last of SIGTERM, SIGINT and SIGHUP that was received; else 0
  uint64_t hanging_since;  ///< the start of the current hang, in ticks; 0: all executors answer
  uint64_t oom_kills;      ///< 1 + the cgroup's count of kills when the run began; else 0
  ms_open_fault faults[MS_OPEN_FAULTS];
  uint64_t oom_group;      ///< a hash of that cgroup's inode and device; else 0
  uint64_t is_alone;       ///< 1: the group had no other process then, and this process has not forked
  uint64_t before_salt;    ///< the salt of the log that this log replaced; else 0
  uint64_t before_ending;  ///< ms_told_word: how the run of the replaced log ended
  uint64_t has_handler;    ///< ms_handler_state
  uint64_t exit_status;    ///< 1 + the argument of exit; else 0
  uint64_t takes_ask;      ///< 1: the process handles the signal in `asked_to_end` itself
  uint64_t alive;          ///< the time of the hang watch's last check, in ticks; else 0
  uint64_t hanging;        ///< the executor that does not answer: 0 main queue, 1 pool, 2 queue, 3 actor, 4 loop
} ms_last_words;

enum { MS_LAST_WORDS_OFFSET = 2048 };  // offset in the header

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
  // keys and values, encoded like a crumb's
} ms_crash_context_record;

enum {
  MS_CRASH_FRAME_LIMIT = 512,  ///< the maximum number of frames of the crashed thread
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
_Static_assert(sizeof(ms_crash_waits_record) == 40, "on disk");
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
