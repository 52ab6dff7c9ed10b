// The values that `withCrumbs` adds to all crumbs of a call, for a crash inside that call.

#include <string.h>

#include "CRecorder.h"
#include "crash.h"

void ms_record_crumb_context(ms_crash *crash) {
  const ms_crumb_context *kept = ms_task_local(ms_crumb_context_key());
  if (kept == NULL || kept->size > MS_DATA_LIMIT) return;
  ms_crumb_context context = *kept;
  // Copied before the record is allocated, so that unreadable memory produces no record.
  uint8_t bytes[MS_DATA_LIMIT];
  memcpy(bytes, context.bytes, context.size);
  ms_crash_context_record *record = ms_crash_begin(crash->log, MS_RECORD_CRASH_CONTEXT,
                                                   crash->number, sizeof *record + context.size);
  if (record == NULL) return;
  record->count = (uint16_t)context.count;
  record->size = (uint16_t)context.size;
  memcpy(record + 1, bytes, context.size);
  ms_crash_commit(crash->log, record);
}
