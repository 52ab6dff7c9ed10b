// Ways to die that only C and C++ know. Each is a function whose name a stack must show.
#ifndef CVICTIMS_H
#define CVICTIMS_H

#ifdef __cplusplus
extern "C" {
#endif

void die_null_read(void);
/// In a task only: the runtime ends the process.
void die_task_memory(void);
void die_bad_pointer(void);
void die_write_readonly(void);
void die_jump_to_data(void);
void die_call_null(void);
void die_divide_by_zero(void);
void die_abort(void);
void die_assert(void);
void die_double_free(void);
void die_heap_smash(void);
void die_undefined_instruction(void);
void die_wild_pointer(void);
void die_privileged_instruction(void);
void die_trap(void);
void die_breakpoint(void);
void die_misaligned(void);
void die_system_call(void);
void die_truncated_mapping(void);
void die_stack_overflow(void);
void die_stack_smashed_at_top(void);
void die_stack_smashed_at_bottom(void);
void die_malloc_lock_held(void);
void die_loader_lock_held(void);
void die_loader_lock_elsewhere(void);
void fork_a_victim(void);

/// A child of `posix_spawn` that has nothing of this process's dispositions, and one that dies.
void spawn_a_victim(void);

/// A child that dies in this process's memory.
void vfork_a_victim(void);

/// A thread that neither blocks signals nor answers any.
void start_silent_thread(void);
/// Blocks the signal by which a thread is asked for its stack.
void block_questions(void);

/// A gigabyte, all of it written to.
void use_up_memory(void);

void die_mutex_held(void);
void die_raised(void);
void die_killed_by_child(void);
void die_two_at_once(void);
void die_in_library(void);
void die_out_of_memory(void);
void die_disk_full(void);
void die_uncaught_exception(void);
void die_bare_throw(void);
void die_throw_across_callback(void);

/// In a thread that is to be cancelled when it comes to the next function that looks.
void die_cancelled(void);
/// In one that can be cancelled anywhere, and is while its crash is recorded.
void die_cancelled_meanwhile(void);

/// Profilers that begin while the hang watch asks a thread, or were there before, or both. The
/// process exits with 1 if they lose anything.
void start_profiler_of_hang(void *log);
void start_profiler_before_hang(void *log);
void start_two_profilers(void *log);
/// Until they are done, by a thread that does not answer.
void hang_without_answer(void);

/// Handlers for SIGSEGV and SIGTERM that ask for the alternate stack; then both come, on stacks of all
/// sizes from the smallest on. Exits with 1 if anything below one of them is overwritten.
void handle_on_small_stacks(void);
void recover_on_small_stacks(void);
/// Gives the calling thread the smallest; exits with 1 if anything below it was overwritten.
void begin_to_hang_on_small_stack(void);
void check_small_stack(void);

/// With six threads waiting and no descriptor free; the second after all were closed that there were.
void die_without_descriptors(void);
void die_after_closing_descriptors(void);
/// Exits with 1 if a thread takes many more maps than the C library's two, or two have one stack.
void count_maps_of_threads(void);

/// Makes the label of a dispatch queue unreadable.
void break_queue_label(void *queue);

/// Starts threads that wait for ever, and returns when all do.
void start_waiting_threads(int count);

/// Starts one that blocks all signals.
void start_blocking_thread(void);

/// Whether the main queue does not answer, and the log says so.
int is_hang_recorded(void *log);
/// Is stopped by another process, and continued; returns when the hang watch has looked at it since.
enum { STOPPED_MILLISECONDS = 1000 };
void stop_for_a_while(void *log);

/// Handles SIGSEGV as a managed runtime does, by a long jump; `faults` of them, then returns.
int recover_on_a_lower_stack(void);
void recover_by_a_reporting_handler(void);
void recover_on_another_thread(void);
void recover_by_long_jump(int faults);
/// After three thousand, by the same instruction.
void die_where_it_recovered(void);
void install_recovering_handler(void);
int has_recovering_handler(void);
int has_crash_handler(void);

/// Crashes on another thread while this one is in the wait of this name, then exits with 0: at once, by `_exit`, or
/// after it has written a line.
void exit_after_interrupted_wait(const char *name, int at_once);

/// Handlers for SIGSEGV, without SA_ONSTACK, that need 200 KiB: one that jumps away after another signal, and one that
/// returns behind the faulting instruction. Then whether every fault was recovered from.
void handle_with_large_frames(void);
int recover_with_large_frames(void);
void handle_by_skipping(void);
int return_from_large_frames(void);

/// The ends that look like others, by number; NULL behind the last.
const char *name_of_ending(int index);

/// Installs the handler that this end needs, if it is one of them and needs one.
void prepare_ending(const char *name, void (*leave_crumb)(void));
void end_as_named(const char *name);

/// A sum over what handles every signal that means a crash.
unsigned long current_handlers(void);
int is_ignored(int signal);

#ifdef __cplusplus
}
#endif
#endif
