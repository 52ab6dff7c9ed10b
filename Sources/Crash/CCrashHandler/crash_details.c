// Records the facts of a crash besides its stack: registers, nearby bytes, messages.

#include <string.h>

#include "crash.h"

void ms_record_registers(ms_crash *crash) {
  uint64_t values[MS_REGISTER_LIMIT];
  uint32_t count = ms_registers(crash->context, values);
  ms_crash_registers_record *record =
      ms_crash_begin(crash->log, MS_RECORD_CRASH_REGISTERS, crash->number,
                     sizeof *record + count * sizeof *values);
  if (record == NULL) return;
  record->machine = ms_machine_here();
  record->count = count;
  memcpy(record->values, values, count * sizeof *values);
  ms_crash_commit(crash->log, record);
}

/// Copies the bytes before the record is allocated, so that unreadable memory produces no record.
static void record_bytes(ms_crash *crash, uintptr_t address, ms_bytes_place place) {
  uint8_t bytes[MS_CRASH_BYTES_LIMIT];
  volatile const uint8_t *from = (volatile const uint8_t *)address;
  for (uint32_t i = 0; i < sizeof bytes; i++) bytes[i] = from[i];
  ms_crash_bytes_record *record = ms_crash_begin(crash->log, MS_RECORD_CRASH_BYTES, crash->number,
                                                 sizeof *record + sizeof bytes);
  if (record == NULL) return;
  record->address = address;
  record->size = sizeof bytes;
  record->place = place;
  memcpy(record + 1, bytes, sizeof bytes);
  ms_crash_commit(crash->log, record);
}

void ms_record_code(ms_crash *crash) {
  uintptr_t instruction = ms_instruction(crash->context);
  if (!ms_is_code(instruction)) return;
  record_bytes(crash, instruction - MS_CRASH_BYTES_LIMIT / 2, MS_BYTES_CODE);
}

void ms_record_stack_bytes(ms_crash *crash) {
  record_bytes(crash, ms_stack_pointer(crash->context), MS_BYTES_STACK);
}

static void record_text(ms_crash *crash, ms_text_source source, const char *text) {
  if (text == NULL) return;
  size_t size = strnlen(text, MS_CRASH_TEXT_LIMIT);
  while (size > 0 && text[size - 1] == '\n') size--;
  if (size == 0) return;
  ms_crash_text_record *record = ms_crash_begin(crash->log, MS_RECORD_CRASH_TEXT, crash->number,
                                                sizeof *record + size);
  if (record == NULL) return;
  record->source = source;
  record->size = (uint16_t)size;
  memcpy(record + 1, text, size);
  ms_crash_commit(crash->log, record);
}

void ms_record_texts(ms_crash *crash) {
  const ms_crash_sources *from = &ms_sources;
  const char *swift_text = from->swift_text ? *from->swift_text : NULL;
  bool is_last = swift_text && *swift_text && !ms_runtime_only_complained(swift_text);
  if (!is_last) swift_text = ms_runtime_last_words(crash->thread);
  record_text(crash, MS_TEXT_SWIFT, swift_text);
  if (from->c_library_text && *from->c_library_text) {
    record_text(crash, MS_TEXT_C_LIBRARY, (*from->c_library_text)->text);
  }
  record_text(crash, MS_TEXT_EXCEPTION_TYPE, ms_uncaught_type());
  record_text(crash, MS_TEXT_EXCEPTION, ms_uncaught_text());
}
