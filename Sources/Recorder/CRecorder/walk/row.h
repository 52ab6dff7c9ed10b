// A row of call frame information: it locates a function's caller and its registers.
#ifndef MAINSTAY_WALK_ROW_H
#define MAINSTAY_WALK_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"
#include "rule.h"

/// The rule of a row for one register of the caller.
typedef enum {
  MS_PLACE_SAME = 0,       ///< unchanged
  MS_PLACE_UNDEFINED,      ///< lost; for the return address: there is no caller
  MS_PLACE_AT_OFFSET,      ///< in memory at CFA + value
  MS_PLACE_IS_OFFSET,      ///< is CFA + value
  MS_PLACE_IN_REGISTER,    ///< in register `value`
  MS_PLACE_AT_EXPRESSION,  ///< in memory where the expression says
  MS_PLACE_IS_EXPRESSION,  ///< what the expression says
} ms_place;

/// Expressions are addresses of DWARF blocks (a length, then the operations).
typedef struct {
  uint8_t place[ms_register_count];
  uint8_t cfa_register;
  bool signal_frame;
  int64_t value[ms_register_count];
  int64_t cfa_offset;
  const uint8_t *cfa_expression;  // NULL: register and offset hold
  const uint8_t *object_end;      // nothing of this row lies at or past it
} ms_row;

/// The knowledge about an address.
typedef enum {
  MS_COVERED,      ///< a row holds for it
  MS_UNCOVERED,    ///< it lies in an object, in a function without unwind information
  MS_NO_OBJECT,    ///< it lies in no object
  MS_NOT_READABLE  ///< the object's unwind information is not of a kind this engine reads
} ms_coverage;

/// Finds the row that holds at the instruction at `address`, and whether the address lies in an
/// object that is never unloaded.
///
/// Signal safety: safe. Reads only the unwind information of the object that holds `address`.
ms_coverage ms_row_find(uintptr_t address, ms_row *row, bool *permanent);

/// The rule word of a row.
///
/// Signal safety: safe.
ms_rule ms_row_rule(const ms_row *row);

/// Runs the programs of an FDE and its CIE up to `address`: a part of `ms_row_find` of its own.
///
/// Signal safety: safe.
struct ms_function_information;
bool ms_row_compute(const struct ms_function_information *function, uintptr_t address,
                    ms_row *row);

/// Whether the object that the loader describes at `map` came with the program and stays for ever.
///
/// Signal safety: safe.
bool ms_object_is_permanent(const void *map);

#endif
