// A module rebuilt as a file from its parts in memory: its headers and its unwind rules.
#ifndef MODULE_IMAGE_H
#define MODULE_IMAGE_H

#include <libelf.h>

#include "ms_unwind.h"

typedef struct {
  ms_unwind_module module;
  ms_memory_reader *read;
  void *context;
  void *bytes;
  size_t size;
} module_image;

/// Reads the module and opens it as an ELF file; NULL if it is none. The bytes stay the image's.
Elf *module_image_elf(module_image *image);

void module_image_free(module_image *image);

#endif
