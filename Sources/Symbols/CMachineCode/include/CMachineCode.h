// Decodes x86-64 machine code into the operations that move values between registers and memory, and finds references
// to addresses in code.
#ifndef MAINSTAY_CMACHINECODE_H
#define MAINSTAY_CMACHINECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Register numbers: 0 to 15 are the general registers in the order of their encoding (rax, rcx, rdx, rbx, rsp, rbp,
/// rsi, rdi, r8 …), 16 to 31 the lower halves of xmm0 to xmm15, 32 to 47 the upper halves.
#define MS_REGISTER_COUNT 48
#define MS_FIRST_VECTOR 16
#define MS_FIRST_UPPER_HALF 32
/// The absence of a register.
#define MS_NO_REGISTER 0xff

/// The effect of an instruction. `[place]` is the memory at `base + value`, or at `value` if there is no base.
typedef enum {
  /// Any other instruction; it writes the registers in `written`.
  MS_OTHER,
  /// target = source
  MS_MOVE,
  /// target = value
  MS_CONSTANT,
  /// target = base + value
  MS_ADDRESS,
  /// target = target + value
  MS_ADD,
  /// target = [place]
  MS_LOAD,
  /// [place] = source; without a source, the memory gets an unknown value.
  MS_STORE,
  /// The upper half of target = source
  MS_JOIN,
  MS_PUSH,
  MS_POP,
  /// Calls the function at `value`.
  MS_CALL,
  /// Calls the function in `source`.
  MS_CALL_REGISTER,
  /// Calls the function in [place].
  MS_CALL_MEMORY,
  MS_JUMP,
  MS_JUMP_REGISTER,
  MS_JUMP_MEMORY,
  /// A conditional jump to `value`.
  MS_BRANCH,
  MS_RETURN,
  /// An instruction that ends the process.
  MS_TRAP,
} ms_operation_kind;

/// A decoded instruction.
typedef struct {
  uint64_t address;
  int64_t value;
  /// The set of registers that the instruction writes; bit `i` stands for register `i`.
  uint64_t written;
  uint8_t kind;
  uint8_t length;
  uint8_t target, source, base;
  /// True if an index register is added to the address of [place].
  bool is_indexed;
  /// The bytes that a load or store moves.
  uint8_t width;
} ms_operation;

/// Decodes code until its end, until `capacity` operations, or until the first invalid instruction. Returns the
/// number of operations.
size_t ms_decode(const uint8_t *code, size_t size, uint64_t address, ms_operation *operations,
                 size_t capacity);

/// The form of a reference to an address.
typedef enum {
  MS_REFERENCE_CALL,
  MS_REFERENCE_JUMP,
  /// The address is computed relative to the instruction pointer (`lea`), or is an immediate operand.
  MS_REFERENCE_ADDRESS,
  /// The memory at the address is read (`mov`, `call *`, `jmp *`).
  MS_REFERENCE_MEMORY,
} ms_reference_kind;

typedef struct {
  /// The address of the instruction.
  uint64_t place;
  /// The index of the address in the list.
  uint32_t target;
  uint32_t kind;
} ms_reference;

/// Finds the references in code to any of the addresses, which are in ascending order. The code is scanned at each
/// byte without decoding, so a result may be a coincidence inside of another instruction. Returns the number of
/// references, of which at most `capacity` are stored.
size_t ms_find_references(const uint8_t *code, size_t size, uint64_t address,
                          const uint64_t *addresses, size_t address_count, ms_reference *references,
                          size_t capacity);

#endif
