#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CProcessTesting.h"

int ms_trap_without_a_cause(void) {
  siginfo_t what = {.si_signo = SIGTRAP, .si_code = TRAP_BRKPT};
  return (int)syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGTRAP, &what);
}
