// The heavy checks. Each prints one line that says what was compared, and returns whether every
// difference from libunwind is explained.
#ifndef MAINSTAY_CWALKCHECK_H
#define MAINSTAY_CWALKCHECK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Every row of call frame information of every loaded object and of the system libraries there
/// are: our stepper and our rule words against libunwind's row, applied to the same registers.
bool ms_check_rows(void);

/// The table by itself: whatever was remembered, an address finds its own rule or none.
bool ms_check_table(uint64_t addresses);

/// Every instruction of C and C++ workloads, by single-stepping.
bool ms_check_each_instruction(void);

/// Every instruction that `body` runs, by single-stepping.
bool ms_check_each_instruction_of(const char *name, void (*body)(void));

/// All threads of the process, interrupted wherever they are, for so many seconds.
bool ms_check_samples(uint32_t seconds);

/// Lets the calling thread be sampled.
void ms_allow_samples(void);

/// Threads that walk while the table is emptied and signals arrive, against the stepper.
bool ms_check_stress(uint32_t seconds);

/// Two libraries of equal layout and different frames, one after the other at one address.
bool ms_check_twins(void);

/// Random registers, stacks and addresses: nothing outside of the stack is read.
bool ms_check_garbage(uint64_t walks);

#ifdef __cplusplus
}
#endif
#endif
