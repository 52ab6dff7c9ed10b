#include "eh_frame.h"

#if MS_HAS_RULES
#include "ms_module.h"

MS_WALKS_BEGIN

// The layout of .eh_frame_hdr: version, three encodings, a pointer to .eh_frame, a count, then a table sorted by
// address. Every linker writes this table with 4-byte offsets from the header's start.
enum { header_version = 1, count_encoding = 0x03, table_encoding = 0x3B };

typedef struct {
  int32_t start;
  int32_t description;
} table_entry;

static bool open_table(const uint8_t *header, const uint8_t *end, ms_bytes *table,
                       uint64_t *count) {
  *table = (ms_bytes){header, end, header >= end};
  uint8_t version = ms_bytes_byte(table);
  uint8_t frame_encoding = ms_bytes_byte(table);
  uint8_t count_as = ms_bytes_byte(table);
  uint8_t table_as = ms_bytes_byte(table);
  if (version != header_version || count_as != count_encoding || table_as != table_encoding) {
    return false;
  }
  ms_bytes_pointer(table, frame_encoding, (uint64_t)header);
  *count = ms_bytes_unsigned(table, 4);
  return ms_bytes_have(table, *count * sizeof(table_entry));
}

static table_entry entry_at(const ms_bytes *table, uint64_t index) {
  table_entry entry;
  memcpy(&entry, table->at + index * sizeof entry, sizeof entry);
  return entry;
}

// Finds the last entry that starts at or before `offset`.
static bool search_table(const ms_bytes *table, uint64_t count, int64_t offset,
                         table_entry *found) {
  uint64_t low = 0, high = count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (entry_at(table, middle).start <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return false;
  *found = entry_at(table, low - 1);
  return true;
}

static ms_bytes record_at(const uint8_t *start, const uint8_t *end) {
  ms_bytes bytes = {start, end, start >= end};
  uint64_t length = ms_bytes_unsigned(&bytes, 4);
  if (length == UINT32_MAX) length = ms_bytes_unsigned(&bytes, 8);
  return ms_bytes_take(&bytes, length);
}

// Reads the augmentation data; the augmentation string has one letter for each field.
static bool read_augmentation(ms_bytes *cie, const char *augmentation,
                              ms_function_information *function) {
  if (*augmentation == 0) return true;
  if (*augmentation != 'z') return false;
  uint64_t length = ms_bytes_uleb(cie);
  ms_bytes data = ms_bytes_take(cie, length);
  for (const char *letter = augmentation + 1; *letter != 0; letter++) {
    switch (*letter) {
      case 'R': function->pointer_encoding = ms_bytes_byte(&data); break;
      case 'L': ms_bytes_byte(&data); break;
      case 'P': {
        uint8_t encoding = ms_bytes_byte(&data);
        ms_bytes_pointer(&data, encoding, 0);
        break;
      }
      case 'S': function->signal_frame = true; break;
      case 'B': break;  // selects the pointer authentication key on arm64
      default: return false;
    }
  }
  return !data.failed;
}

static bool read_common(const uint8_t *start, ms_function_information *function, bool *augmented) {
  ms_bytes cie = record_at(start, function->object_end);
  uint64_t identifier = ms_bytes_unsigned(&cie, 4);
  uint8_t version = ms_bytes_byte(&cie);
  if (cie.failed || identifier != 0 || (version != 1 && version != 3)) return false;
  const char *augmentation = (const char *)cie.at;
  while (ms_bytes_byte(&cie) != 0) {}
  function->code_alignment = ms_bytes_uleb(&cie);
  function->data_alignment = ms_bytes_sleb(&cie);
  uint64_t return_register = version == 1 ? ms_bytes_byte(&cie) : ms_bytes_uleb(&cie);
  if (cie.failed || return_register != ms_return) return false;
  *augmented = *augmentation == 'z';
  if (!read_augmentation(&cie, augmentation, function)) return false;
  function->common_program = cie;
  return !cie.failed;
}

static bool read_function(const uint8_t *start, ms_function_information *function) {
  ms_bytes fde = record_at(start, function->object_end);
  const uint8_t *common_base = fde.at;
  uint64_t common_distance = ms_bytes_unsigned(&fde, 4);
  bool augmented = false;
  if (fde.failed || common_distance == 0) return false;
  if (!read_common(common_base - common_distance, function, &augmented)) return false;
  function->start = ms_bytes_pointer(&fde, function->pointer_encoding, 0);
  function->end = function->start + ms_bytes_pointer(&fde, function->pointer_encoding & 0x0F, 0);
  if (augmented) ms_bytes_skip(&fde, ms_bytes_uleb(&fde));
  function->program = fde;
  return !fde.failed;
}

// Returns the end of the readable unwind information that begins at `header`. Segments with gaps between them are
// separate modules to the loader's index, so the segment that contains the code need not contain the header.
static const uint8_t *end_around(const uint8_t *header, const ms_module *module) {
  ms_module holder;
  if (header >= module->start && header < module->end) return module->end;
  return ms_module_at((uintptr_t)header, &holder) ? holder.end : header;
}

static ms_coverage find_function(uintptr_t address, const ms_module *module,
                                 ms_function_information *function) {
  const uint8_t *header = module->eh_frame;
  ms_bytes table;
  uint64_t count;
  table_entry entry;
  if (header == NULL) return MS_UNCOVERED;
  const uint8_t *end = end_around(header, module);
  if (!open_table(header, end, &table, &count)) return MS_NOT_READABLE;
  if (!search_table(&table, count, (intptr_t)address - (intptr_t)header, &entry)) {
    return MS_UNCOVERED;
  }
  *function = (ms_function_information){.object_end = end};
  if (!read_function(header + entry.description, function)) return MS_NOT_READABLE;
  bool covered = function->start <= address && address < function->end;
  return covered ? MS_COVERED : MS_UNCOVERED;
}

uintptr_t ms_function_start(uintptr_t address) {
  ms_module module;
  ms_function_information function;
  bool is_found = ms_module_at(address, &module) &&
                  find_function(address, &module, &function) == MS_COVERED;
  return is_found ? function.start : 0;
}

ms_coverage ms_row_find(uintptr_t address, ms_row *row, bool *permanent) {
  ms_module module;
  ms_function_information function;
  *permanent = false;
  if (!ms_module_at(address, &module)) return MS_NO_OBJECT;
  *permanent = ms_object_is_permanent(module.link_map);
  ms_coverage coverage = find_function(address, &module, &function);
  if (coverage != MS_COVERED) return coverage;
  return ms_row_compute(&function, address, row) ? MS_COVERED : MS_NOT_READABLE;
}

MS_WALKS_END
#endif
