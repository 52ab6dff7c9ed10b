// A row of call frame information: the rules that compute the caller's CFA and registers.
#ifndef MAINSTAY_WALK_ROW_H
#define MAINSTAY_WALK_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"
#include "rule.h"

/// The rule of a row for one register of the caller.
typedef enum {
  MS_PLACE_SAME = 0,       ///< unchanged
  MS_PLACE_UNDEFINED,      ///< lost; for the return address: the frame is outermost
  MS_PLACE_AT_OFFSET,      ///< in memory at CFA + value
  MS_PLACE_IS_OFFSET,      ///< is CFA + value
  MS_PLACE_IN_REGISTER,    ///< in register `value`
  MS_PLACE_AT_EXPRESSION,  ///< in memory at the address that the expression yields
  MS_PLACE_IS_EXPRESSION,  ///< is the value that the expression yields
} ms_place;

/// A row. Expressions are pointers to DWARF blocks (a length, then the operations).
typedef struct {
  uint8_t place[ms_register_count];
  uint8_t cfa_register;
  bool signal_frame;
  int64_t value[ms_register_count];
  int64_t cfa_offset;
  const uint8_t *cfa_expression;  // NULL: the CFA is register + offset
  const uint8_t *object_end;      // the end of the object that contains the row's expressions
} ms_row;

/// The result of a lookup of unwind information.
typedef enum {
  MS_COVERED,      ///< a row was found
  MS_UNCOVERED,    ///< the address is in an object, in a function without unwind information
  MS_NO_OBJECT,    ///< the address is in no object
  MS_NOT_READABLE  ///< the object's unwind information has a format that this unwinder does not support
} ms_coverage;

/// Finds the row for the instruction at `address`, and reports whether the address is in an object that is never
/// unloaded.
///
/// Signal safety: safe. Reads only the unwind information of the object that contains `address`.
ms_coverage ms_row_find(uintptr_t address, ms_row *row, bool *permanent);

/// Returns the compact rule of a row.
///
/// Signal safety: safe.
ms_rule ms_row_rule(const ms_row *row);

/// Runs the programs of a CIE and an FDE up to `address`. A step of `ms_row_find`.
///
/// Signal safety: safe.
struct ms_function_information;
bool ms_row_compute(const struct ms_function_information *function, uintptr_t address,
                    ms_row *row);

/// Returns true if the object with this link map was loaded at program start and is never unloaded.
///
/// Signal safety: safe.
bool ms_object_is_permanent(const void *map);

#endif
