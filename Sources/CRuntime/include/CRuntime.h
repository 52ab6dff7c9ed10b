// What the Swift runtime and the loader know, and no Swift module offers.
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

/// Whether the runtime knows the calling thread to be on `executor`; false may mean "not known".
///
/// Signal safety: none; it may ask the executor.
bool ms_executor_is_current(ms_executor executor);

/// The serial executor that the task of the calling thread runs on; without identity where it is on none,
/// or no task runs here.
///
/// Signal safety: none; it may ask the loader.
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

/// Where the calling thread's task, or the thread itself outside tasks, keeps what a `TaskLocal` holds; NULL where
/// it holds nothing.
///
/// Signal safety: safe; it follows the task's own list.
const void *ms_task_local(const void *key);

/// Where a task runs.
typedef enum {
  MS_TASK_PLACE_UNKNOWN = 0,
  MS_TASK_ON_NO_ACTOR = 1,    ///< on any thread of its pool
  MS_TASK_ON_MAIN_ACTOR = 2,
  MS_TASK_ON_ACTOR = 3,       ///< which brings its executor with it
  MS_TASK_ON_EXECUTOR = 4,    ///< the program's own: of an actor, of a global one, of many
} ms_task_place;

enum { MS_TYPE_NAME_ROOM = 128 };

/// What the runtime knows of a task.
typedef struct {
  uint64_t task;
  uint64_t parent;     ///< the id of the task whose child it is; 0: of none, or of one not known
  uintptr_t executor;  ///< the same for all that run on one actor; 0: on none
  uint8_t priority;    ///< as Swift numbers them; 0: not known
  uint8_t place;       ///< ms_task_place
  char type[MS_TYPE_NAME_ROOM];  ///< of the actor or the executor; empty where that is not known
} ms_task_facts;

/// Whether the word at an address can be read; NULL where a task is not in doubt.
typedef bool (*ms_can_read)(uintptr_t address);

/// What is known of the task that the calling thread runs; false outside tasks.
///
/// Signal safety: safe, if `can_read` is; it reads only what that allows.
bool ms_task_facts_here(ms_can_read can_read, ms_task_facts *facts);

/// The name of an object's class, without what surrounds it; empty where it is no Swift object.
///
/// Signal safety: safe, if `can_read` is; it reads only what that allows.
void ms_type_of_object(uintptr_t object, ms_can_read can_read, char name[MS_TYPE_NAME_ROOM]);

/// Learns from a child where tasks keep their parents: it is called in one, once to learn and again to
/// check.
///
/// Signal safety: none; neither is the next.
void ms_task_learn_child(const void *parent, ms_can_read can_read);

/// Learns which executor is the main actor's.
void ms_task_learn_main(void);

/// The id of the task whose child the calling thread's is; 0 where that is none's, or it is not known.
///
/// Signal safety: safe; it reads the task that runs.
uint64_t ms_task_parent_id(void);

/// Who runs on an actor.
typedef struct {
  uint32_t thread;  ///< the kernel's id
  uint64_t task;    ///< 0: not known
} ms_holder;

/// Learns where threads keep what they run and on which executor: it is called in a task on an actor, once to
/// learn and again to check.
///
/// Signal safety: none; neither is the next.
void ms_holder_learn(void);

/// The other thread that runs on an executor now; false where none does, or it cannot be known.
///
/// It waits for nobody, and reads no memory that may be gone but through the kernel.
bool ms_holder_of(ms_executor executor, ms_holder *holder);

/// Where the function that asks was called from: the address its own call returns to, as a walk
/// finds it. 0 where that is not known, as in code built without frame pointers.
///
/// A function that others call asks, so that the stacks it leads to can begin with its caller. It
/// asks by itself and is never inlined, or another function's caller is told.
///
/// Signal safety: safe; three loads.
uintptr_t ms_caller(void);

/// The same for the initialiser of a class, which is called by a function that allocates the object.
///
/// Signal safety: safe; five loads.
uintptr_t ms_maker(void);

/// Whether the metadata of a type is that of Foundation's UUID, known without linking Foundation. False
/// too where only a library that was loaded later brings Foundation along.
///
/// Signal safety: safe; it compares an address.
bool ms_type_is_uuid(const void *type);

/// What the loader knows about an address.
typedef struct {
  const char *module;    ///< the path of the file mapped there; NULL where none is
  const char *function;  ///< the exported function around it; NULL where none is
  uintptr_t base;        ///< where the file begins in memory
} ms_code_place;

/// Signal safety: none; it takes the loader's lock.
ms_code_place ms_code_at(uintptr_t address);

/// Puts the linker's name of the function around `address` into `name`, where the loader does not
/// know it but the file of `place`, the address's own, does. It reads that file.
///
/// Signal safety: none.
bool ms_code_hidden_name(ms_code_place place, uintptr_t address, char *name, size_t room);

/// Puts what a linker's name means in Swift into `name`, cut to fit; false where it is none of Swift.
///
/// Signal safety: none; it allocates.
bool ms_code_demangle(const char *mangled, char *name, size_t room);

#ifdef __cplusplus
}
#endif
#endif
