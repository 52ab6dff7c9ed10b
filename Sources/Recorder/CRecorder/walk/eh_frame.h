// The unwind information of one function: an FDE of .eh_frame with its CIE.
#ifndef MAINSTAY_WALK_EH_FRAME_H
#define MAINSTAY_WALK_EH_FRAME_H

#include "dwarf_bytes.h"
#include "row.h"

typedef struct ms_function_information {
  uintptr_t start;
  uintptr_t end;
  uint64_t code_alignment;
  int64_t data_alignment;
  uint8_t pointer_encoding;
  bool signal_frame;
  ms_bytes common_program;  // the instructions of the CIE
  ms_bytes program;         // the instructions of the FDE
  const uint8_t *object_end;
} ms_function_information;

/// Returns the start of the function that contains `address`; 0 if the address has no unwind information.
///
/// Signal safety: safe.
uintptr_t ms_function_start(uintptr_t address);

#endif
