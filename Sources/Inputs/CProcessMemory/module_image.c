#include "module_image.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

// The largest programs have some hundred megabytes of code; untouched pages take no memory.
static const uint64_t largest_file = (uint64_t)4 << 30;
// Unwind rules take about a tenth of the size of the code.
static const uint64_t largest_rules = (uint64_t)256 << 20;

enum { most_segments = 128 };

typedef struct {
  Elf64_Ehdr header;
  Elf64_Phdr segments[most_segments];
} headers;

static bool read_all(const module_image *image, uint64_t address, void *buffer, size_t size) {
  return image->read(image->context, address, buffer, size) == size;
}

static bool read_headers(const module_image *image, headers *headers) {
  Elf64_Ehdr *header = &headers->header;
  if (!read_all(image, image->module.start, header, sizeof *header)) return false;
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum > most_segments) {
    return false;
  }
  return read_all(image, image->module.start + header->e_phoff, headers->segments, header->e_phnum * sizeof(Elf64_Phdr));
}

static const Elf64_Phdr *segment_of(const headers *headers, uint64_t offset) {
  for (size_t i = 0; i < headers->header.e_phnum; i++) {
    const Elf64_Phdr *segment = &headers->segments[i];
    if (segment->p_type == PT_LOAD && offset >= segment->p_offset && offset - segment->p_offset < segment->p_filesz) {
      return segment;
    }
  }
  return NULL;
}

/// The size of the file up to the end of the last loaded segment; 0 if the headers are invalid.
static uint64_t file_size(const headers *headers) {
  if (headers->header.e_phoff > largest_file) return 0;
  uint64_t size = headers->header.e_phoff + headers->header.e_phnum * sizeof(Elf64_Phdr);
  if (size < sizeof(Elf64_Ehdr)) size = sizeof(Elf64_Ehdr);
  for (size_t i = 0; i < headers->header.e_phnum; i++) {
    const Elf64_Phdr *segment = &headers->segments[i];
    uint64_t end = segment->p_offset + segment->p_filesz;
    if (end < segment->p_offset) return 0;
    if (segment->p_type == PT_LOAD && end > size) size = end;
  }
  return size <= largest_file ? size : 0;
}

/// Copies the bytes from `offset` to the end of its segment from memory to their file position.
static void fill(module_image *image, const headers *headers, uint64_t bias, uint64_t offset) {
  const Elf64_Phdr *segment = segment_of(headers, offset);
  if (segment == NULL) return;
  uint64_t skipped = offset - segment->p_offset, size = segment->p_filesz - skipped;
  if (size > largest_rules) size = largest_rules;
  image->read(image->context, bias + segment->p_vaddr + skipped, (char *)image->bytes + offset, size);
}

/// Returns the file offset of `.eh_frame`, read from `.eh_frame_hdr` if the pointer is encoded as
/// `DW_EH_PE_pcrel | DW_EH_PE_sdata4`, as linkers do; otherwise the offset of `.eh_frame_hdr`.
static uint64_t rules_offset(const module_image *image, const Elf64_Phdr *table) {
  struct {
    uint8_t version, pointer_encoding, count_encoding, table_encoding;
    int32_t pointer;
  } header;
  enum { relative_to_here_32_bits = 0x1b };
  if (table->p_filesz < sizeof header || image->size - table->p_offset < sizeof header) return table->p_offset;
  memcpy(&header, (const char *)image->bytes + table->p_offset, sizeof header);
  if (header.pointer_encoding != relative_to_here_32_bits) return table->p_offset;
  return table->p_offset + 4 + (uint64_t)(int64_t)header.pointer;
}

Elf *module_image_elf(module_image *image) {
  headers headers;
  if (image->bytes != NULL || elf_version(EV_CURRENT) == EV_NONE || !read_headers(image, &headers)) return NULL;
  image->size = file_size(&headers);
  if (image->size == 0) return NULL;
  void *bytes = mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) return NULL;
  image->bytes = bytes;
  const Elf64_Phdr *first = segment_of(&headers, 0), *table = NULL;
  for (size_t i = 0; i < headers.header.e_phnum; i++) {
    if (headers.segments[i].p_type == PT_GNU_EH_FRAME) table = &headers.segments[i];
  }
  if (first != NULL && table != NULL && segment_of(&headers, table->p_offset) != NULL) {
    uint64_t bias = image->module.start - first->p_vaddr;
    fill(image, &headers, bias, table->p_offset);
    uint64_t rules = rules_offset(image, table);
    // The rules can precede their table, in the same or in another segment.
    if (rules < table->p_offset || segment_of(&headers, rules) != segment_of(&headers, table->p_offset)) {
      fill(image, &headers, bias, rules);
    }
  }
  // Loaded modules have no section headers; without section headers libdw reads the program
  // headers.
  headers.header.e_shoff = 0;
  headers.header.e_shnum = 0;
  headers.header.e_shstrndx = SHN_UNDEF;
  memcpy(bytes, &headers.header, sizeof headers.header);
  memcpy((char *)bytes + headers.header.e_phoff, headers.segments, headers.header.e_phnum * sizeof(Elf64_Phdr));
  return elf_memory(bytes, image->size);
}

void module_image_free(module_image *image) {
  if (image->bytes != NULL) munmap(image->bytes, image->size);
}
