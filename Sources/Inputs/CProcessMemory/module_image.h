// A module's file image, rebuilt from its headers and its unwind rules in memory.
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

/// Reads the module and opens it as an ELF file; NULL if it is no ELF module. The image keeps
/// ownership of the bytes.
Elf *module_image_elf(module_image *image);

void module_image_free(module_image *image);

#endif
