// What can be said of an address without touching what it points to.

#include <errno.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "crash.h"

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
/// What is mapped for an object holds data too: its headers say where its code is.
bool ms_is_code(uintptr_t address) {
  uintptr_t bias;
  const void *start;
  if (!ms_object_at(address, &bias, &start)) return false;
  if (start == NULL) return true;  // the vDSO's may lie elsewhere
  const ElfW(Ehdr) *header = start;
  const ElfW(Phdr) *segments = (const ElfW(Phdr) *)((const uint8_t *)start + header->e_phoff);
  for (int i = 0; i < header->e_phnum; i++) {
    uintptr_t begin = bias + segments[i].p_vaddr;
    if (segments[i].p_type != PT_LOAD || !(segments[i].p_flags & PF_X)) continue;
    if (address >= begin && address - begin < segments[i].p_memsz) return true;
  }
  return false;
}
#else
bool ms_is_code(uintptr_t address) { return address >= 65536; }
#endif

/// rt_sigprocmask copies its set in before it looks at `how`: EFAULT says that the word cannot be
/// read. Nothing is changed, as there is no such `how`.
bool ms_is_readable(uintptr_t address) {
  return syscall(SYS_rt_sigprocmask, -1, address, NULL, 8L) == 0 || errno != EFAULT;
}
