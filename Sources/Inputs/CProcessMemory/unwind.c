#include "ms_unwind.h"

#include <elf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module_image.h"

struct ms_unwinder {
  Dwfl *dwfl;
  ms_memory_reader *read;
  void *context;
  module_image *images;
  size_t count;
  // The state of the current walk.
  const ms_unwind_registers *registers;
  ms_unwind_frame *frames;
  size_t most, filled;
  // True if the last word that libdwfl requested could not be read.
  bool misses;
};

// libdwfl identifies a thread by its id; each walk has only one thread.
enum { the_thread = 1 };

/// Passes the in-memory image of a module to libdwfl at the module's first frame.
static int find_elf(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base, char **file_name, Elf **elf) {
  (void)module, (void)name, (void)base, (void)file_name;
  module_image *image = *user_data;
  *elf = module_image_elf(image);
  return -1;
}

static int find_no_debug_info(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base, const char *file,
                              const char *link, GElf_Word crc, char **debug_info) {
  (void)module, (void)user_data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)debug_info;
  return -1;
}

static const Dwfl_Callbacks module_callbacks = {.find_elf = find_elf, .find_debuginfo = find_no_debug_info};

static pid_t no_next_thread(Dwfl *dwfl, void *unwinder, void **thread) {
  (void)dwfl, (void)unwinder, (void)thread;
  return 0;
}

static bool get_thread(Dwfl *dwfl, pid_t id, void *unwinder, void **thread) {
  (void)dwfl, (void)id;
  *thread = unwinder;
  return true;
}

static bool read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *argument) {
  (void)dwfl;
  ms_unwinder *unwinder = argument;
  // Swift marks the saved frame pointer of an async function with bit 60, which no address has.
  // Signed pointers on aarch64 use more of the upper bits.
  address &= ((uint64_t)1 << 56) - 1;
  unwinder->misses = unwinder->read(unwinder->context, address, word, sizeof *word) != sizeof *word;
  return !unwinder->misses;
}

static bool set_registers(Dwfl_Thread *thread, void *argument) {
  const ms_unwind_registers *registers = ((ms_unwinder *)argument)->registers;
  dwfl_thread_state_register_pc(thread, registers->program_counter);
  return dwfl_thread_state_registers(thread, 0, registers->count, registers->values);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
    .next_thread = no_next_thread,
    .get_thread = get_thread,
    .memory_read = read_word,
    .set_initial_registers = set_registers,
};

static int add_frame(Dwfl_Frame *frame, void *argument) {
  ms_unwinder *unwinder = argument;
  Dwarf_Addr address;
  bool is_instruction;
  if (!dwfl_frame_pc(frame, &address, &is_instruction)) return DWARF_CB_ABORT;
  // A return address of 0 marks a thread's outermost frame.
  if (address == 0 && unwinder->filled > 0) return DWARF_CB_ABORT;
  unwinder->frames[unwinder->filled++] = (ms_unwind_frame){address, is_instruction};
  return unwinder->filled < unwinder->most ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static bool report_modules(ms_unwinder *unwinder) {
  dwfl_report_begin(unwinder->dwfl);
  for (size_t i = 0; i < unwinder->count; i++) {
    char name[24];
    snprintf(name, sizeof name, "%zu", i);
    Dwfl_Module *module =
        dwfl_report_module(unwinder->dwfl, name, unwinder->images[i].module.start, unwinder->images[i].module.end);
    void **user_data;
    if (module == NULL) continue;
    dwfl_module_info(module, &user_data, NULL, NULL, NULL, NULL, NULL, NULL);
    *user_data = &unwinder->images[i];
  }
  return dwfl_report_end(unwinder->dwfl, NULL, NULL) == 0;
}

ms_unwinder *ms_unwinder_create(const ms_unwind_module *modules, size_t count, ms_memory_reader *read, void *context) {
  ms_unwinder *unwinder = calloc(1, sizeof *unwinder);
  if (unwinder == NULL) return NULL;
  unwinder->read = read;
  unwinder->context = context;
  unwinder->images = calloc(count, sizeof *unwinder->images);
  unwinder->dwfl = dwfl_begin(&module_callbacks);
  if (unwinder->images != NULL && unwinder->dwfl != NULL) {
    unwinder->count = count;
    for (size_t i = 0; i < count; i++) {
      unwinder->images[i] = (module_image){.module = modules[i], .read = read, .context = context};
    }
    // The process id is arbitrary, because no callback uses it.
    if (report_modules(unwinder) && dwfl_attach_state(unwinder->dwfl, NULL, the_thread, &thread_callbacks, unwinder)) {
      return unwinder;
    }
  }
  ms_unwinder_free(unwinder);
  return NULL;
}

ms_unwind_end ms_unwinder_walk(ms_unwinder *unwinder, const ms_unwind_registers *registers, ms_unwind_frame *frames,
                               size_t most, size_t *count) {
  unwinder->registers = registers;
  unwinder->frames = frames;
  unwinder->most = most;
  unwinder->filled = 0;
  unwinder->misses = false;
  int result = dwfl_getthread_frames(unwinder->dwfl, the_thread, add_frame, unwinder);
  *count = unwinder->filled;
  if (unwinder->filled == most) return MS_UNWIND_LIMIT;
  if (unwinder->misses) return MS_UNWIND_NO_MEMORY;
  return result < 0 ? MS_UNWIND_NO_RULE : MS_UNWIND_COMPLETE;
}

void ms_unwinder_free(ms_unwinder *unwinder) {
  // dwfl_end also frees the Elf descriptors; the images own the bytes.
  if (unwinder->dwfl != NULL) dwfl_end(unwinder->dwfl);
  for (size_t i = 0; i < unwinder->count; i++) module_image_free(&unwinder->images[i]);
  free(unwinder->images);
  free(unwinder);
}
