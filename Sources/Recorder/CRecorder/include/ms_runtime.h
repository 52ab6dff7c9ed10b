// Facts from the Swift runtime and the loader that no Swift module exports.
//
// Signal safety: see each function.
#ifndef MAINSTAY_CRUNTIME_H
#define MAINSTAY_CRUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An executor reference as the runtime passes it.
typedef struct {
  void *identity;
  uintptr_t implementation;
} ms_executor;

/// Returns the version of the standard library in this process, for example 0x060300 for 6.3; 0 if none is loaded.
///
/// Signal safety: safe; returns a constant.
uint32_t ms_runtime_version(void);

/// Returns true if `version` is one whose undocumented interfaces match the declarations here: Swift 6.0 to 6.3.
///
/// Signal safety: safe.
bool ms_runtime_is_known_version(uint32_t version);

/// Returns true if the version of the runtime in this process is known.
///
/// Signal safety: safe.
bool ms_runtime_is_known(void);

/// Reports the facts of this file to the table of facts.
///
/// Signal safety: safe.
void ms_runtime_start(void);

/// A function that is called before the runtime decides an isolation check, which may succeed. The function that
/// contains `caller` makes the check. If the result is true, the check succeeds without a decision of the runtime.
typedef bool (*ms_isolation_listener)(ms_executor executor, uintptr_t caller);

/// Sets the concurrency runtime's hook for isolation checks, which calls `heard` and then the previous hook. The hook
/// stays until the process ends. Returns false if this runtime has no such hook, or its version is unknown.
///
/// Signal safety: none. One thread at a time.
bool ms_isolation_hear(ms_isolation_listener heard);

/// Like `ms_isolation_hear`, for a runtime whose hook is the variable at `hook`, of a known version.
void ms_isolation_hear_at(void *hook, ms_isolation_listener heard);

/// Returns true if the calling code, from `caller` outward, has not been passed to this function before. A full table
/// makes all further code known.
///
/// Signal safety: none; walks the stack.
bool ms_isolation_is_new_site(uintptr_t caller);

/// Returns true if an executor is the default executor of an actor, which only the runtime's own record of the current
/// executor can prove to be current.
///
/// Signal safety: safe.
bool ms_executor_is_default(ms_executor executor);

/// Returns true if the runtime knows that the calling thread runs on `executor`; false may mean "unknown".
///
/// Signal safety: none; may call the executor.
bool ms_executor_is_current(ms_executor executor);

/// Returns the serial executor of the calling thread's task. The identity is NULL if the task has no serial executor,
/// or if the thread runs no task.
///
/// Signal safety: none; may call the loader.
ms_executor ms_executor_here(void);

/// Returns true if the executor is the main actor's.
///
/// Signal safety: none.
bool ms_executor_is_main(ms_executor executor);

/// Returns the id of the task that the calling thread runs; 0 outside tasks.
///
/// Signal safety: safe; two loads.
uint64_t ms_task_id(void);

/// Returns the task that the calling thread runs; NULL outside tasks.
///
/// Signal safety: safe; one load.
const void *ms_task_here(void);

/// Returns the storage of a `TaskLocal` value in the calling thread's task, or in the thread itself outside tasks;
/// NULL if the task-local has no value.
///
/// Signal safety: safe; follows the task's own list.
const void *ms_task_local(const void *key);

/// The place where a task runs.
typedef enum {
  MS_TASK_PLACE_UNKNOWN = 0,
  MS_TASK_ON_NO_ACTOR = 1,    ///< on any thread of the global pool
  MS_TASK_ON_MAIN_ACTOR = 2,
  MS_TASK_ON_ACTOR = 3,       ///< on the actor's default executor
  MS_TASK_ON_EXECUTOR = 4,    ///< on a custom executor of the program
} ms_task_place;

/// The runtime's facts about a task.
typedef struct {
  uint64_t task;
  uintptr_t executor;  ///< the address of the actor or executor; 0: no actor
  uint8_t priority;    ///< Swift's numeric priority; 0: unknown
  uint8_t place;       ///< ms_task_place
  bool is_cancelled;   ///< true if the task is cancelled
} ms_task_facts;

/// Writes the facts about the task that the calling thread runs. Returns false outside tasks.
///
/// Signal safety: safe; the runtime reads only the thread's own memory.
bool ms_task_facts_here(ms_task_facts *facts);

/// Learns the identity of the main actor's executor.
///
/// Signal safety: none; the runtime may create the executor.
void ms_task_learn_main(void);

/// Returns the return address of the calling function, as a walk finds it; 0 if unknown, for example in code built
/// without frame pointers.
///
/// A function of the public interface calls this function, so that the stacks it records can begin with its caller.
/// The calling function must call directly and must not be inlined; otherwise the result is the caller of another
/// function.
///
/// Signal safety: safe; three loads.
uintptr_t ms_caller(void);

/// Returns the result of `ms_caller` for the initializer of a class, which is called by the allocating initializer.
///
/// Signal safety: safe; five loads.
uintptr_t ms_maker(void);

/// Returns true if the metadata is that of Foundation's UUID, which is looked up without linking Foundation. Returns
/// false also if Foundation was loaded after the start.
///
/// Signal safety: safe; compares an address.
bool ms_type_is_uuid(const void *type);

/// The loader's facts about an address.
typedef struct {
  const char *module;    ///< the path of the file that contains the address; NULL if none does
  const char *function;  ///< the exported function that contains the address; NULL if none does
  uintptr_t base;        ///< the load address of the file
} ms_code_place;

/// Returns the loader's facts about `address`.
///
/// Signal safety: none; takes the loader's lock.
ms_code_place ms_code_at(uintptr_t address);

/// Demangles a Swift symbol into `name`, truncated to its size; returns false for other symbols.
///
/// Signal safety: none; allocates.
bool ms_code_demangle(const char *mangled, char *name, size_t room);

#ifdef __cplusplus
}
#endif
#endif
