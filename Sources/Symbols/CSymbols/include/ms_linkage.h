// Reads the sections, symbols and relocations of an ELF file that code refers to.
#ifndef MS_LINKAGE_H
#define MS_LINKAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A section that is loaded into memory, with its bytes in the file.
typedef struct {
  uint64_t address;
  const uint8_t *bytes;
  size_t size;
  bool is_code;
} ms_loaded_section;

/// A defined symbol.
typedef struct {
  uint64_t address;
  uint64_t size;
  const char *name;
  bool is_function;
} ms_defined_symbol;

/// A word that the dynamic linker fills in.
typedef struct {
  uint64_t address;
  /// The name of the imported symbol; NULL if the value is an address of this file.
  const char *name;
  uint64_t value;
} ms_relocated_word;

/// The linkage of a file. The arrays are in ascending order of addresses.
typedef struct {
  void *elf;
  ms_loaded_section *sections;
  ms_defined_symbol *symbols;
  ms_relocated_word *words;
  /// The names of the libraries that the file was linked with.
  const char **libraries;
  size_t section_count, symbol_count, word_count, library_count;
  /// The directories in which the dynamic linker looks for libraries, separated by colons; NULL without any.
  const char *library_path;
  /// The machine type of ELF: 62 is x86-64, 183 is arm64.
  uint16_t machine;
} ms_linkage;

/// Reads a file's linkage; returns false if the file is not an executable or shared object of native byte order, or
/// if memory ran out. The caller frees the linkage if the result is true.
bool ms_linkage_read(int fd, ms_linkage *linkage);

/// Frees what `ms_linkage_read` allocated.
void ms_linkage_free(ms_linkage *linkage);

#endif
