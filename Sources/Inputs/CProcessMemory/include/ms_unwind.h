// Walks stacks by libdwfl over memory that the caller reads: of a running process or of a core dump.
//
// Unwind rules come from the modules as they lie in memory, so no file is opened here and nothing is fetched.
#ifndef MS_UNWIND_H
#define MS_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Copies up to `size` bytes from `address` of the process; returns how many were readable.
typedef size_t ms_memory_reader(void *context, uint64_t address, void *buffer, size_t size);

/// A file mapped as code, from its ELF header on.
typedef struct {
  uint64_t start, end;
} ms_unwind_module;

/// A frame: an address, and whether it is that of an instruction rather than the one behind a call.
typedef struct {
  uint64_t address;
  bool is_instruction;
} ms_unwind_frame;

/// A thread's registers by their DWARF numbers: 17 with the program counter last on x86_64, 32 on aarch64.
typedef struct {
  uint64_t values[32];
  uint32_t count;
  uint64_t program_counter;
} ms_unwind_registers;

typedef enum {
  MS_UNWIND_COMPLETE,
  MS_UNWIND_LIMIT,
  MS_UNWIND_NO_RULE,
  /// The memory that holds the next frame cannot be read.
  MS_UNWIND_NO_MEMORY,
} ms_unwind_end;

typedef struct ms_unwinder ms_unwinder;

/// Creates an unwinder for the modules, which must not overlap; NULL if libdwfl refuses them.
ms_unwinder *ms_unwinder_create(const ms_unwind_module *modules, size_t count, ms_memory_reader *read, void *context);

/// Fills `frames`, innermost first, and sets `count`; returns why the walk ended.
ms_unwind_end ms_unwinder_walk(ms_unwinder *unwinder, const ms_unwind_registers *registers, ms_unwind_frame *frames,
                               size_t most, size_t *count);

void ms_unwinder_free(ms_unwinder *unwinder);

#endif
