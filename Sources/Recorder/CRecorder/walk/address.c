#include "ms_address.h"

#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ms_module.h"
#include "platform.h"

MS_WALKS_BEGIN

// The mapping of an object also contains data; the program headers specify the executable segments.
bool ms_is_code(uintptr_t address) {
  if (!ms_module_has_index()) return address >= 1 << 16;
  ms_module module;
  size_t count;
  if (!ms_module_at(address, &module)) return false;
  const ElfW(Phdr) *segments = ms_module_headers(&module, &count);
  if (segments == NULL) return true;
  for (size_t i = 0; i < count; i++) {
    uintptr_t begin = module.bias + segments[i].p_vaddr;
    if (segments[i].p_type != PT_LOAD || !(segments[i].p_flags & PF_X)) continue;
    if (address >= begin && address - begin < segments[i].p_memsz) return true;
  }
  return false;
}

// With unwind rules, stack_memory.c defines `ms_is_readable`.
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
