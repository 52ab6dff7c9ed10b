#include "unit.h"

#include <dwarf.h>

bool ms_unit_read_header(const ms_sections *sections, uint64_t offset, ms_debug_unit *unit,
                         uint64_t *next) {
  const ms_section *info = &sections->of[MS_INFO];
  ms_bytes bytes = ms_section_from(info, offset);
  *unit = (ms_debug_unit){.sections = sections, .program = sections, .start = bytes.at};
  uint64_t length = ms_u32(&bytes);
  unit->widths.offset = 4;
  if (length == 0xffffffff) {
    length = ms_u64(&bytes);
    unit->widths.offset = 8;
  }
  if (bytes.failed || length > ms_left(&bytes)) return false;
  unit->end = bytes.end = bytes.at + length;
  *next = (uint64_t)(unit->end - info->data);
  unit->widths.version = ms_u16(&bytes);
  unit->type = DW_UT_compile;
  if (unit->widths.version >= 5) {
    unit->type = ms_u8(&bytes);
    unit->widths.address = ms_u8(&bytes);
  }
  unit->abbreviations = ms_number(&bytes, unit->widths.offset);
  if (unit->widths.version < 5) unit->widths.address = ms_u8(&bytes);
  if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
    unit->split_id = ms_u64(&bytes);
  // A unit of an unknown version or address size is skipped.
  bool is_known = unit->widths.version >= 2 && unit->widths.version <= 5 &&
                  (unit->widths.address == 4 || unit->widths.address == 8);
  unit->entries = is_known ? bytes.at : unit->end;
  return true;
}

ms_bytes ms_unit_abbreviations(const ms_debug_unit *unit) {
  return ms_section_from(&unit->sections->of[MS_ABBREV], unit->abbreviations);
}

// MARK: Values

void ms_value_skip_form(ms_bytes *bytes, uint16_t form, ms_widths widths) {
  int32_t size = ms_form_size(form, widths);
  if (size >= 0) {
    ms_take(bytes, (uint64_t)size);
    return;
  }
  switch (form) {
    case DW_FORM_block1: ms_take(bytes, ms_u8(bytes)); break;
    case DW_FORM_block2: ms_take(bytes, ms_u16(bytes)); break;
    case DW_FORM_block4: ms_take(bytes, ms_u32(bytes)); break;
    case DW_FORM_block:
    case DW_FORM_exprloc: ms_take(bytes, ms_uleb(bytes)); break;
    case DW_FORM_string: ms_string(bytes); break;
    case DW_FORM_indirect: {
      uint64_t real = ms_uleb(bytes);
      if (real == DW_FORM_indirect || real == DW_FORM_implicit_const || real > UINT16_MAX)
        bytes->failed = true;
      else
        ms_value_skip_form(bytes, (uint16_t)real, widths);
      break;
    }
    default:
      if (size == -1) ms_uleb(bytes);
      else bytes->failed = true;
  }
}

void ms_value_read(ms_bytes *bytes, const ms_attribute *attribute, ms_widths widths,
                   ms_value *value) {
  int32_t size = attribute->size;
  *value = (ms_value){.form = attribute->form};
  if (value->form == DW_FORM_indirect) {
    uint64_t real = ms_uleb(bytes);
    bool is_value = real != DW_FORM_indirect && real != DW_FORM_implicit_const;
    value->form = is_value && real <= UINT16_MAX ? (uint16_t)real : 0;
    size = ms_form_size(value->form, widths);
  }
  switch (value->form) {
    case DW_FORM_implicit_const: value->number = (uint64_t)attribute->constant; break;
    case DW_FORM_flag_present: value->number = 1; break;
    case DW_FORM_string: value->string = ms_string(bytes); break;
    case DW_FORM_sdata: value->number = (uint64_t)ms_sleb(bytes); break;
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index: value->number = ms_uleb(bytes); break;
    default:
      if (size > 0 && size <= 8) value->number = ms_number(bytes, (uint64_t)size);
      else ms_value_skip_form(bytes, value->form, widths);
  }
  if (bytes->failed) value->form = 0;
}

/// Reads the number at an index of a table of numbers.
static bool number_at(const ms_section *section, uint64_t base, uint64_t index, uint8_t size,
                      uint64_t *number) {
  if (base > section->size || index >= (section->size - base) / size) return false;
  ms_bytes bytes = ms_section_from(section, base + index * size);
  *number = ms_number(&bytes, size);
  return !bytes.failed;
}

const char *ms_value_string(const ms_debug_unit *unit, const ms_value *value) {
  const ms_sections *sections = unit->sections;
  uint64_t offset;
  switch (value->form) {
    case DW_FORM_string: return value->string;
    case DW_FORM_strp: return ms_string_at(&sections->of[MS_STR], value->number);
    case DW_FORM_line_strp: return ms_string_at(&sections->of[MS_LINE_STR], value->number);
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index:
      return number_at(&sections->of[MS_STR_OFFSETS], unit->string_base, value->number,
                       unit->widths.offset, &offset)
                 ? ms_string_at(&sections->of[MS_STR], offset)
                 : NULL;
    default: return NULL;
  }
}

uint64_t ms_value_number(const ms_value *value) {
  switch (value->form) {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
    case DW_FORM_sdata:
    case DW_FORM_udata:
    case DW_FORM_implicit_const:
    case DW_FORM_sec_offset:
    case DW_FORM_rnglistx: return value->number;
    default: return 0;
  }
}

static bool address_at(const ms_debug_unit *unit, uint64_t index, uint64_t *address) {
  return number_at(&unit->program->of[MS_ADDR], unit->address_base, index, unit->widths.address,
                   address);
}

bool ms_value_address(const ms_debug_unit *unit, const ms_value *value, uint64_t *address) {
  switch (value->form) {
    case DW_FORM_addr: *address = value->number; return true;
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index: return address_at(unit, value->number, address);
    default: return false;
  }
}

const uint8_t *ms_value_entry(const ms_debug_unit *unit, const ms_value *value) {
  const ms_section *info = &unit->sections->of[MS_INFO];
  uint64_t room = (uint64_t)(unit->end - unit->start);
  switch (value->form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata: return value->number < room ? unit->start + value->number : NULL;
    case DW_FORM_ref_addr: return value->number < info->size ? info->data + value->number : NULL;
    default: return NULL;
  }
}

// MARK: Ranges

void ms_extent_collect(ms_extent *extent, uint16_t name, const ms_value *value) {
  switch (name) {
    case DW_AT_low_pc: extent->low = *value; break;
    case DW_AT_high_pc: extent->high = *value; break;
    case DW_AT_ranges: extent->ranges = *value; break;
    default: break;
  }
}

/// The start of a list of ranges.
static ms_bytes list_of(const ms_debug_unit *unit, const ms_value *value) {
  if (unit->widths.version < 5)
    return ms_section_from(&unit->program->of[MS_RANGES], unit->ranges_base + value->number);
  const ms_section *section = &unit->sections->of[MS_RNGLISTS];
  uint64_t offset = value->number;
  if (value->form == DW_FORM_rnglistx) {
    if (!number_at(section, unit->lists_base, value->number, unit->widths.offset, &offset))
      offset = section->size;
    else
      offset += unit->lists_base;
  }
  return ms_section_from(section, offset);
}

ms_ranges ms_extent_ranges(const ms_debug_unit *unit, const ms_extent *extent) {
  ms_ranges ranges = {.unit = unit, .base = unit->low};
  if (ms_has(&extent->low) && ms_has(&extent->high)) {
    ranges.is_single = ms_value_address(unit, &extent->low, &ranges.low);
    if (!ms_value_address(unit, &extent->high, &ranges.high))
      ranges.high = ranges.low + ms_value_number(&extent->high);
  } else if (ms_has(&extent->ranges)) {
    ranges.is_list = true;
    ranges.bytes = list_of(unit, &extent->ranges);
  }
  return ranges;
}

/// Reads the next range of a list of address pairs (DWARF 2 to 4).
static bool next_pair(ms_ranges *ranges, uint64_t *low, uint64_t *high) {
  uint8_t size = ranges->unit->widths.address;
  uint64_t base_mark = size == 8 ? UINT64_MAX : UINT32_MAX;
  for (;;) {
    *low = ms_number(&ranges->bytes, size);
    *high = ms_number(&ranges->bytes, size);
    if (ranges->bytes.failed || (*low == 0 && *high == 0)) return false;
    if (*low != base_mark) break;
    ranges->base = *high;
  }
  *low += ranges->base;
  *high += ranges->base;
  return true;
}

/// Reads the next range of a list of entries (DWARF 5).
static bool next_entry(ms_ranges *ranges, uint64_t *low, uint64_t *high) {
  const ms_debug_unit *unit = ranges->unit;
  ms_bytes *bytes = &ranges->bytes;
  uint8_t size = unit->widths.address;
  while (!bytes->failed) {
    switch (ms_u8(bytes)) {
      case DW_RLE_base_addressx:
        if (!address_at(unit, ms_uleb(bytes), &ranges->base)) return false;
        break;
      case DW_RLE_base_address: ranges->base = ms_number(bytes, size); break;
      case DW_RLE_startx_endx:
        return address_at(unit, ms_uleb(bytes), low) && address_at(unit, ms_uleb(bytes), high);
      case DW_RLE_startx_length:
        if (!address_at(unit, ms_uleb(bytes), low)) return false;
        *high = *low + ms_uleb(bytes);
        return !bytes->failed;
      case DW_RLE_offset_pair:
        *low = ranges->base + ms_uleb(bytes);
        *high = ranges->base + ms_uleb(bytes);
        return !bytes->failed;
      case DW_RLE_start_end:
        *low = ms_number(bytes, size);
        *high = ms_number(bytes, size);
        return !bytes->failed;
      case DW_RLE_start_length:
        *low = ms_number(bytes, size);
        *high = *low + ms_uleb(bytes);
        return !bytes->failed;
      default: return false;
    }
  }
  return false;
}

bool ms_next_range(ms_ranges *ranges, uint64_t *low, uint64_t *high) {
  if (ranges->is_list)
    return ranges->unit->widths.version < 5 ? next_pair(ranges, low, high)
                                            : next_entry(ranges, low, high);
  if (!ranges->is_single || ranges->is_done) return false;
  ranges->is_done = true;
  *low = ranges->low;
  *high = ranges->high;
  return true;
}
