#include "symbols.h"

#include <gelf.h>
#include <stdlib.h>


/// The end address of each executable section, by the section's index; 0 for all other sections.
static uint64_t *executable_ends(Elf *elf, size_t count) {
  uint64_t *ends = calloc(count + 1, sizeof *ends);
  for (Elf_Scn *section = NULL; ends && (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) && elf_ndxscn(section) < count &&
        header.sh_flags & SHF_EXECINSTR)
      ends[elf_ndxscn(section)] = header.sh_addr + header.sh_size;
  }
  return ends;
}

/// Reads a symbol of a 32-bit or 64-bit table.
static Elf64_Sym symbol_at(const ms_section *table, bool is_wide, size_t index) {
  Elf64_Sym symbol;
  Elf32_Sym narrow;
  if (is_wide) {
    memcpy(&symbol, table->data + index * sizeof symbol, sizeof symbol);
    return symbol;
  }
  memcpy(&narrow, table->data + index * sizeof narrow, sizeof narrow);
  return (Elf64_Sym){narrow.st_name,  narrow.st_info,  narrow.st_other,
                     narrow.st_shndx, narrow.st_value, narrow.st_size};
}

static bool names_code(const Elf64_Sym *symbol) {
  int type = ELF64_ST_TYPE(symbol->st_info);
  return type == STT_FUNC || type == STT_NOTYPE || type == STT_OBJECT || type == STT_GNU_IFUNC;
}

/// True for machines whose symbol tables also mark the start of code and data by mapping symbols: `$x`, `$d.4`.
static bool has_marks(Elf *elf) {
  GElf_Ehdr header;
  return gelf_getehdr(elf, &header) &&
         (header.e_machine == EM_AARCH64 || header.e_machine == EM_ARM ||
          header.e_machine == EM_RISCV);
}

static bool is_mark(const Elf64_Sym *symbol, const char *name) {
  return symbol->st_info == ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE) && symbol->st_size == 0 && name &&
         name[0] == '$' && name[1] != '\0' && strchr("adtx", name[1]) &&
         (name[2] == '\0' || name[2] == '.');
}

/// Sorts keys by their starts, stably, in O(n).
static bool sort(uint64_t **keys, size_t count) {
  uint64_t *other = malloc(count * sizeof **keys);
  if (!other) return false;
  for (unsigned shift = 32; shift < 64; shift += 11) {
    size_t places[2048] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++) places[(*keys)[i] >> shift & 2047]++;
    for (size_t digit = 0; digit < 2048; digit++) {
      size_t here = places[digit];
      places[digit] = sum;
      sum += here;
    }
    for (size_t i = 0; i < count; i++) other[places[(*keys)[i] >> shift & 2047]++] = (*keys)[i];
    uint64_t *sorted = other;
    other = *keys;
    *keys = sorted;
  }
  free(other);
  return true;
}

/// Collects the keys of code symbols: the start in the upper half, the index in the table in the lower half.
static size_t find_code(const ms_builder *builder, Elf *elf, const ms_sections *sections,
                        bool is_wide, size_t count, const uint64_t *ends, size_t section_count,
                        uint64_t *keys) {
  const ms_section *table = &sections->of[MS_SYMBOLS], *names = &sections->of[MS_SYMBOL_NAMES];
  bool may_be_mark = has_marks(elf);
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    Elf64_Sym symbol = symbol_at(table, is_wide, i);
    if (symbol.st_shndx < section_count && ends[symbol.st_shndx] && names_code(&symbol) &&
        symbol.st_name != 0 && ms_is_text(builder, symbol.st_value) &&
        !(may_be_mark && is_mark(&symbol, ms_string_at(names, symbol.st_name))))
      keys[found++] = (uint64_t)ms_start(builder, symbol.st_value) << 32 | (uint32_t)i;
  }
  return found;
}

static void append(ms_builder *builder, uint32_t start, const Elf64_Sym *symbol, uint64_t end,
                   const char *name) {
  // A symbol without a size extends to the next symbol, or to the end of its section.
  uint64_t reach = symbol->st_size > 0 ? symbol->st_size : end - symbol->st_value;
  ms_symbol entry = {reach < UINT32_MAX ? (uint32_t)reach : UINT32_MAX, ms_add_text(builder, name)};
  MS_APPEND(builder, symbol_starts, symbol_start_count, symbol_start_room, start);
  MS_APPEND(builder, symbols, symbol_count, symbol_room, entry);
}

void ms_read_symbols(ms_builder *builder, Elf *elf, const ms_sections *sections) {
  const ms_section *table = &sections->of[MS_SYMBOLS], *names = &sections->of[MS_SYMBOL_NAMES];
  bool is_wide = gelf_getclass(elf) == ELFCLASS64;
  size_t count = table->size / (is_wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)), section_count;
  if (count == 0 || count > UINT32_MAX || elf_getshdrnum(elf, &section_count) != 0) return;
  uint64_t *ends = executable_ends(elf, section_count), *keys = malloc(count * sizeof *keys);
  size_t found = 0;
  if (ends && keys)
    found = find_code(builder, elf, sections, is_wide, count, ends, section_count, keys);
  if (found > 0 && !sort(&keys, found)) found = 0;
  Elf64_Sym best = {0};
  for (size_t i = 0; i < found && !builder->failed; i++) {
    Elf64_Sym symbol = symbol_at(table, is_wide, (uint32_t)keys[i]);
    // Of several symbols at one address the largest counts; of equally large symbols, the last.
    const char *name = ms_string_at(names, symbol.st_name);
    if (name && *name && symbol.st_size >= best.st_size) best = symbol;
    if (i + 1 < found && keys[i + 1] >> 32 == keys[i] >> 32) continue;
    if (best.st_name != 0)
      append(builder, (uint32_t)(keys[i] >> 32), &best, ends[best.st_shndx],
             ms_string_at(names, best.st_name));
    best = (Elf64_Sym){0};
  }
  free(keys);
  free(ends);
}

/// The number of symbols that start at an address or before it.
static size_t symbols_up_to(const ms_tables *tables, uint32_t address) {
  size_t from = 0, to = tables->symbol_count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (tables->symbol_starts[middle] <= address) from = middle + 1;
    else to = middle;
  }
  return from;
}

bool ms_symbol_covers(ms_builder *builder, uint32_t low, uint32_t high) {
  const ms_tables *tables = builder->tables;
  const uint32_t *starts = tables->symbol_starts;
  // Functions are mostly read in ascending order of their addresses.
  size_t at = builder->last_symbol + 1;
  bool is_next = at < tables->symbol_count && starts[at] == low;
  if (!is_next) {
    at = symbols_up_to(tables, low);
    if (at-- == 0) return false;
  }
  builder->last_symbol = at;
  bool is_last = at + 1 == tables->symbol_count;
  return high - starts[at] <= tables->symbols[at].size && (is_last || starts[at + 1] >= high);
}
