// Facts from the Swift runtime and the loader that no Swift module offers.
//
// Signal safety: as each function says.
#ifndef MAINSTAY_CRUNTIME_H
#define MAINSTAY_CRUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An executor as the runtime hands it over.
typedef struct {
  void *identity;
  uintptr_t implementation;
} ms_executor;

/// The version of the standard library in this process, as 0x060300 for 6.3; 0 if none exists.
///
/// Signal safety: safe; it returns a constant.
uint32_t ms_runtime_version(void);

/// Whether interfaces that the runtime exports without a header are known to be as declared here: Swift 6.0 to 6.3.
///
/// Signal safety: safe.
bool ms_runtime_is_known(void);

/// Reports the facts of this file to the table of facts.
///
/// Signal safety: safe.
void ms_runtime_start(void);

/// Told of a check of the main actor that is made by the function that `caller` is in, before the runtime decides. The
/// check may hold.
typedef void (*ms_isolation_listener)(uintptr_t caller);

/// Sets the concurrency runtime's hook for checks of isolation, which then calls `heard`, and after it the hook that was
/// set before. The hook stays until the process ends. False if this runtime has no such hook, or its version is unknown.
///
/// Signal safety: none. One thread at a time.
bool ms_isolation_hear(ms_isolation_listener heard);

/// Whether the runtime knows the calling thread to be on `executor`; false may mean "not known".
///
/// Signal safety: none; it may ask the executor.
bool ms_executor_is_current(ms_executor executor);

/// The serial executor of the calling thread's task; without identity if the task has none, or if the thread runs no
/// task.
///
ms_executor ms_executor_here(void);

/// Whether an executor is the main actor's.
///
/// Signal safety: none.
bool ms_executor_is_main(ms_executor executor);

/// The id of the task the calling thread runs; 0 outside tasks.
///
/// Signal safety: safe; two loads.
uint64_t ms_task_id(void);

/// The task the calling thread runs; NULL outside tasks.
///
/// Signal safety: safe; one load.
const void *ms_task_here(void);

/// The storage of a `TaskLocal` value in the calling thread's task, or in the thread itself outside tasks; NULL if it
/// has no value.
///
/// Signal safety: safe; it follows the task's own list.
const void *ms_task_local(const void *key);

/// The place where a task runs.
typedef enum {
  MS_TASK_PLACE_UNKNOWN = 0,
  MS_TASK_ON_NO_ACTOR = 1,    ///< on any thread of its pool
  MS_TASK_ON_MAIN_ACTOR = 2,
  MS_TASK_ON_ACTOR = 3,       ///< which brings its executor with it
  MS_TASK_ON_EXECUTOR = 4,    ///< the program's own: of an actor, of a global one, of many
} ms_task_place;

/// The runtime's facts about a task.
typedef struct {
  uint64_t task;
  uintptr_t executor;  ///< the same for all that run on one actor; 0: on none
  uint8_t priority;    ///< as Swift numbers them; 0: not known
  uint8_t place;       ///< ms_task_place
} ms_task_facts;

/// Fills in the facts about the task that the calling thread runs. Returns false outside tasks.
///
/// Signal safety: safe; the runtime answers from the thread's own memory.
bool ms_task_facts_here(ms_task_facts *facts);

/// Learns which executor is the main actor's.
///
/// Signal safety: none; the runtime may make the executor.
void ms_task_learn_main(void);

/// The return address of the calling function's own call, as a walk finds it; 0 if unknown, as in code built without
/// frame pointers.
///
/// A function of the public interface calls this, so that the stacks it records can begin with its caller. It must
/// call directly and must not be inlined; otherwise the result is the caller of another function.
///
/// Signal safety: safe; three loads.
uintptr_t ms_caller(void);

/// As `ms_caller`, for the initializer of a class, which is called by the allocating initializer.
///
/// Signal safety: safe; five loads.
uintptr_t ms_maker(void);

/// True if the metadata is that of Foundation's UUID, found without linking Foundation. False also if Foundation was
/// loaded by a library after the start.
///
/// Signal safety: safe; it compares an address.
bool ms_type_is_uuid(const void *type);

/// The loader's facts about an address.
typedef struct {
  const char *module;    ///< the path of the file mapped there; NULL where none is
  const char *function;  ///< the exported function around it; NULL where none is
  uintptr_t base;        ///< where the file begins in memory
} ms_code_place;

/// Signal safety: none; it takes the loader's lock.
ms_code_place ms_code_at(uintptr_t address);

/// Demangles a Swift symbol into `name`, truncated to its size; false for other symbols.
///
bool ms_code_demangle(const char *mangled, char *name, size_t room);

#ifdef __cplusplus
}
#endif
#endif
