// The lists of subjects that `ms_native_subjects` joins.
#ifndef MAINSTAY_SUBJECTS_H
#define MAINSTAY_SUBJECTS_H

#include "CWalkSubjects.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const ms_subject ms_c_subjects[];
extern const uint32_t ms_c_subject_count;

#ifdef __cplusplus
}
#endif
#endif
