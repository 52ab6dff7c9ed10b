// Walks stacks with libdwfl. The caller provides the memory, of a running process or of a core
// dump.
//
// The unwind rules come from the modules in memory, so this code opens and downloads no files.
#ifndef MS_UNWIND_H
#define MS_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Copies up to `size` bytes from `address` of the process; returns the number of readable bytes.
typedef size_t ms_memory_reader(void *context, uint64_t address, void *buffer, size_t size);

/// A file mapped as code, beginning at its ELF header.
typedef struct {
  uint64_t start, end;
} ms_unwind_module;

/// A frame. `is_instruction` is false if the address is a return address, after the call.
typedef struct {
  uint64_t address;
  bool is_instruction;
} ms_unwind_frame;

/// A thread's registers by DWARF number: 17 on x86_64, with the program counter last, and 32 on
/// aarch64.
typedef struct {
  uint64_t values[32];
  uint32_t count;
  uint64_t program_counter;
} ms_unwind_registers;

typedef enum {
  MS_UNWIND_COMPLETE,
  MS_UNWIND_LIMIT,
  MS_UNWIND_NO_RULE,
  /// The memory of the next frame is unreadable.
  MS_UNWIND_NO_MEMORY,
} ms_unwind_end;

typedef struct ms_unwinder ms_unwinder;

/// Creates an unwinder for the modules, which must not overlap; NULL if libdwfl rejects them.
ms_unwinder *ms_unwinder_create(const ms_unwind_module *modules, size_t count, ms_memory_reader *read, void *context);

/// Fills `frames`, innermost first, and sets `count`; returns the reason why the walk ended.
ms_unwind_end ms_unwinder_walk(ms_unwinder *unwinder, const ms_unwind_registers *registers, ms_unwind_frame *frames,
                               size_t most, size_t *count);

void ms_unwinder_free(ms_unwinder *unwinder);

#endif
