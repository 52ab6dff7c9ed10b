#include "ms_address.h"

#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform.h"

MS_WALKS_BEGIN

#ifdef DLFO_STRUCT_HAS_EH_DBASE  // glibc 2.35 has _dl_find_object
static bool is_header(const void *start) { return memcmp(start, ELFMAG, SELFMAG) == 0; }

/// Where there are gaps between an object's segments, each is found by itself, and the header is in the
/// first of them. NULL where it is not mapped with them, as the vDSO's may not be.
static const ElfW(Ehdr) *header_of(const struct dl_find_object *object) {
  if (is_header(object->dlfo_map_start)) return object->dlfo_map_start;
  const void *base = (const void *)object->dlfo_link_map->l_addr;
  struct dl_find_object first;
  bool is_mapped = _dl_find_object((void *)base, &first) == 0 &&
                   first.dlfo_link_map == object->dlfo_link_map;
  return is_mapped && is_header(base) ? base : NULL;
}

// What is mapped for an object holds data too: its headers say where its code is.
bool ms_is_code(uintptr_t address) {
  struct dl_find_object object;
  if (_dl_find_object((void *)address, &object) != 0) return false;
  const ElfW(Ehdr) *header = header_of(&object);
  if (header == NULL) return true;
  uintptr_t bias = object.dlfo_link_map->l_addr;
  const ElfW(Phdr) *segments = (const ElfW(Phdr) *)((const uint8_t *)header + header->e_phoff);
  for (int i = 0; i < header->e_phnum; i++) {
    uintptr_t begin = bias + segments[i].p_vaddr;
    if (segments[i].p_type != PT_LOAD || !(segments[i].p_flags & PF_X)) continue;
    if (address >= begin && address - begin < segments[i].p_memsz) return true;
  }
  return false;
}
#else
bool ms_is_code(uintptr_t address) { return address >= 1 << 16; }
#endif

// stack_memory.c asks as one of its walks does.
#if !MS_HAS_RULES
bool ms_is_readable(uintptr_t address) {
  if (address < 1 << 16) return false;  // nothing is mapped there
  int saved = errno;
  bool can = syscall(SYS_rt_sigprocmask, -1, address, NULL, 8L) == 0 || errno != EFAULT;
  errno = saved;
  return can;
}
#endif

MS_WALKS_END
