#include <dlfcn.h>
#include <stddef.h>

#include "ms_runtime.h"

ms_code_place ms_code_at(uintptr_t address) {
  Dl_info info;
  if (dladdr((void *)address, &info) == 0) return (ms_code_place){NULL, NULL, 0};
  return (ms_code_place){info.dli_fname, info.dli_sname, (uintptr_t)info.dli_fbase};
}
