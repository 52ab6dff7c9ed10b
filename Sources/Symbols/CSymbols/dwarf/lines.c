#include "lines.h"

#include <dwarf.h>

/// The header of a line table.
typedef struct {
  ms_widths widths;
  uint8_t shortest, operations, opcode_base, line_range;
  int8_t line_base;
  /// The number of operands of each standard opcode.
  const uint8_t *operands;
  ms_bytes program;
} line_header;

// MARK: The header

static void add_directory(ms_line_reader *reader, const char *name) {
  if (ms_grow(reader->builder, (void **)&reader->directories, &reader->directory_room,
              reader->directory_count, sizeof *reader->directories))
    reader->directories[reader->directory_count++] = name;
}

static void add_file(ms_line_reader *reader, const char *name, uint64_t directory) {
  if (ms_grow(reader->builder, (void **)&reader->files, &reader->file_room, reader->file_count,
              sizeof *reader->files))
    reader->files[reader->file_count++] = (ms_line_file){.name = name, .directory = directory};
}

/// Reads the directories and files of DWARF 2 to 4.
static void read_old_files(ms_line_reader *reader, ms_bytes *bytes) {
  const char *name;
  while ((name = ms_string(bytes)) && *name) add_directory(reader, name);
  while ((name = ms_string(bytes)) && *name) {
    uint64_t directory = ms_uleb(bytes);
    ms_uleb(bytes);
    ms_uleb(bytes);
    add_file(reader, name, directory);
  }
}

/// Reads the directories, or the files, of DWARF 5: the format of an entry, then the entries.
static void read_entries(ms_line_reader *reader, const ms_debug_unit *unit, ms_widths widths,
                         ms_bytes *bytes, bool are_files) {
  struct {
    uint64_t content;
    ms_attribute attribute;
  } parts[255];
  uint8_t part_count = ms_u8(bytes);
  for (int i = 0; i < part_count; i++) {
    parts[i].content = ms_uleb(bytes);
    uint64_t form = ms_uleb(bytes);
    bool is_value = form <= UINT16_MAX && form != DW_FORM_implicit_const;
    uint16_t known = is_value ? (uint16_t)form : 0;
    parts[i].attribute = (ms_attribute){.form = known, .size = ms_form_size(known, widths)};
  }
  uint64_t count = ms_uleb(bytes);
  // Each entry takes at least one byte, so a count above the remaining bytes is invalid.
  if (count > ms_left(bytes) || part_count == 0) bytes->failed = count > 0;
  for (; count > 0 && !bytes->failed && !reader->builder->failed; count--) {
    const char *name = NULL;
    uint64_t directory = 0;
    for (int i = 0; i < part_count; i++) {
      ms_value value;
      ms_value_read(bytes, &parts[i].attribute, widths, &value);
      if (parts[i].content == DW_LNCT_path) name = ms_value_string(unit, &value);
      if (parts[i].content == DW_LNCT_directory_index) directory = ms_value_number(&value);
    }
    if (are_files) add_file(reader, name, directory);
    else add_directory(reader, name);
  }
}

static bool read_header(ms_line_reader *reader, const ms_debug_unit *unit, ms_bytes bytes,
                        line_header *header) {
  header->widths = unit->widths;
  uint64_t length = ms_u32(&bytes);
  header->widths.offset = 4;
  if (length == 0xffffffff) {
    length = ms_u64(&bytes);
    header->widths.offset = 8;
  }
  if (bytes.failed || length > ms_left(&bytes)) return false;
  bytes.end = bytes.at + length;
  reader->version = header->widths.version = ms_u16(&bytes);
  if (reader->version < 2 || reader->version > 5) return false;
  if (reader->version == 5) ms_take(&bytes, 2);
  uint64_t rest = ms_number(&bytes, header->widths.offset);
  if (rest > ms_left(&bytes)) return false;
  header->program = (ms_bytes){bytes.at + rest, bytes.end, false};
  bytes.end = bytes.at + rest;
  header->shortest = ms_u8(&bytes);
  header->operations = reader->version >= 4 ? ms_u8(&bytes) : 1;
  ms_u8(&bytes);
  header->line_base = (int8_t)ms_u8(&bytes);
  header->line_range = ms_u8(&bytes);
  header->opcode_base = ms_u8(&bytes);
  if (header->line_range == 0 || header->opcode_base == 0 || header->operations == 0) return false;
  header->operands = ms_take(&bytes, header->opcode_base - 1u);
  if (!header->operands) return false;
  if (reader->version < 5) {
    read_old_files(reader, &bytes);
  } else {
    read_entries(reader, unit, header->widths, &bytes, false);
    read_entries(reader, unit, header->widths, &bytes, true);
  }
  return true;
}

// MARK: The program

/// The state machine of a line number program, with the state of the program's rows.
typedef struct {
  ms_line_reader *reader;
  const line_header *header;
  uint64_t address, operation, column;
  uint32_t line;
  /// The interned path of the file.
  uint32_t text;
  /// The index of the first row of this sequence.
  size_t first_row;
  /// True if this sequence has rows; true if these rows are omitted.
  bool has_begun, is_dropped;
  /// True if all rows so far are in ascending order.
  bool is_sorted;
} line_machine;

static void set_file(line_machine *machine, uint64_t file) {
  machine->text = ms_line_file_text(machine->reader, file);
}

static void begin_sequence(line_machine *machine) {
  machine->address = machine->operation = machine->column = 0;
  machine->line = 1;
  set_file(machine, 1);
  machine->first_row = machine->reader->builder->tables->row_count;
  machine->has_begun = machine->is_dropped = false;
}

static void advance(line_machine *machine, uint64_t count) {
  const line_header *header = machine->header;
  if (header->operations > 1) {
    count += machine->operation;
    machine->operation = count % header->operations;
    count /= header->operations;
  }
  machine->address += header->shortest * count;
}

/// Begins a sequence at the address of its first row; returns false if its rows are omitted.
static bool begin_rows(line_machine *machine) {
  machine->has_begun = true;
  // Sequences of functions that the linker dropped start outside of the code.
  machine->is_dropped = !ms_is_text(machine->reader->builder, machine->address);
  return !machine->is_dropped;
}

static inline void append_row(line_machine *machine, ms_line_row row) {
  ms_builder *builder = machine->reader->builder;
  ms_tables *tables = builder->tables;
  if (machine->has_begun ? machine->is_dropped : !begin_rows(machine)) return;
  row.start = ms_start(builder, machine->address);
  if (tables->row_count > machine->reader->rows_begin) {
    ms_line_row *last = &tables->rows[tables->row_count - 1];
    bool is_same_sequence = tables->row_count > machine->first_row;
    if (is_same_sequence && last->start == row.start) {
      // The earlier row covers no address, so the later row replaces it.
      *last = row;
      return;
    }
    if (is_same_sequence && last->start < row.start && last->line == row.line &&
        last->column == row.column && last->file == row.file)
      return;
    if (ms_row_is_before(&row, last)) machine->is_sorted = false;
  }
  MS_APPEND(builder, rows, row_count, row_room, row);
}

static inline void append_line(line_machine *machine) {
  int32_t line = (int32_t)machine->line;
  append_row(machine, (ms_line_row){
                          .file = machine->text,
                          .line = line > 0 ? (uint32_t)line : 0,
                          .column = machine->column <= INT32_MAX ? (uint32_t)machine->column : 0,
                      });
}

static void run_extended(line_machine *machine, ms_bytes *bytes) {
  uint64_t length = ms_uleb(bytes);
  const uint8_t *at = ms_take(bytes, length);
  if (!at || length == 0) return;
  ms_bytes operands = {at, at + length, false};
  switch (ms_u8(&operands)) {
    case DW_LNE_end_sequence:
      append_row(machine, (ms_line_row){.file = MS_NONE});
      begin_sequence(machine);
      break;
    case DW_LNE_set_address:
      machine->address = ms_number(&operands, length - 1);
      machine->operation = 0;
      break;
    case DW_LNE_define_file: {
      const char *name = ms_string(&operands);
      add_file(machine->reader, name, ms_uleb(&operands));
      break;
    }
    default: break;
  }
}

static void run_standard(line_machine *machine, uint8_t opcode, ms_bytes *bytes) {
  const line_header *header = machine->header;
  switch (opcode) {
    case DW_LNS_copy: append_line(machine); break;
    case DW_LNS_advance_pc: advance(machine, ms_uleb(bytes)); break;
    case DW_LNS_advance_line: machine->line += (uint32_t)ms_sleb(bytes); break;
    case DW_LNS_set_file: set_file(machine, ms_uleb(bytes)); break;
    case DW_LNS_set_column: machine->column = ms_uleb(bytes); break;
    case DW_LNS_const_add_pc:
      advance(machine, (255u - header->opcode_base) / header->line_range);
      break;
    case DW_LNS_fixed_advance_pc:
      machine->address += ms_u16(bytes);
      machine->operation = 0;
      break;
    default:
      for (int i = 0; i < header->operands[opcode - 1]; i++) ms_uleb(bytes);
  }
}

/// Runs the program and appends its rows; returns false if the rows are not in ascending order.
static bool run(ms_line_reader *reader, const line_header *header) {
  line_machine machine = {.reader = reader, .header = header, .is_sorted = true};
  begin_sequence(&machine);
  ms_bytes bytes = header->program;
  while (bytes.at < bytes.end && !reader->builder->failed) {
    uint8_t opcode = *bytes.at++;
    if (opcode >= header->opcode_base) {
      unsigned special = (unsigned)opcode - header->opcode_base;
      advance(&machine, special / header->line_range);
      machine.line += (uint32_t)(header->line_base + (int)(special % header->line_range));
      append_line(&machine);
    } else if (opcode == 0) {
      run_extended(&machine, &bytes);
    } else {
      run_standard(&machine, opcode, &bytes);
    }
  }
  return machine.is_sorted;
}

void ms_lines_read(ms_line_reader *reader, const ms_debug_unit *unit, uint64_t offset,
                   const char *home) {
  ms_builder *builder = reader->builder;
  ms_bytes bytes = ms_section_from(&unit->program->of[MS_LINE], offset);
  if (reader->at && reader->at == bytes.at) return;
  ms_lines_none(reader);
  reader->home = home;
  line_header header;
  if (!read_header(reader, unit, bytes, &header)) {
    reader->directory_count = reader->file_count = 0;
    return;
  }
  reader->at = bytes.at;
  ms_spend(builder, (size_t)(header.program.end - bytes.at));
  bool is_sorted = run(reader, &header);
  ms_tables *tables = builder->tables;
  size_t count = tables->row_count - reader->rows_begin;
  if (!is_sorted) ms_rows_sort(builder, tables->rows + reader->rows_begin, count);
  if (count > 0) {
    // The range after the last address is unknown, whatever the table contains.
    ms_line_row *last = &tables->rows[tables->row_count - 1];
    *last = (ms_line_row){.start = last->start, .file = MS_NONE};
  }
  reader->rows_end = tables->row_count;
}
