#define _GNU_SOURCE
#undef NDEBUG
#include "CScales.h"

#include <assert.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct pan {
  int tare;
};

static struct pan first_pan = {7};

static struct pan *pan_at(int port) { return port == 0 ? &first_pan : NULL; }

int scales_tare(int port) {
  struct pan *volatile pan = pan_at(port);
  return pan->tare;
}

int scales_read(void) {
  volatile int *shared =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap((void *)shared, 4096);
  return shared[1];
}

int scales_calibrate(void) {
  int *steps = malloc(4000);
  int *volatile same = steps;
  free(steps);
  free(same);
  return 0;
}

int scales_weigh(int grams) {
  assert(grams <= 5000);
  return grams;
}

int scales_reset(int port) {
  if (port > 3) __builtin_trap();
  return port;
}

int scales_lock(void) {
  struct sock_filter only[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mknodat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof only / sizeof *only, only};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 1;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 2;
  return (int)syscall(SYS_mknodat, -1, "/dev/scales", 0, 0);
}

int scales_history(void) {
  int file = memfd_create("weights", MFD_CLOEXEC);
  if (ftruncate(file, 4096) != 0) return 1;
  volatile int *weights = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  if (ftruncate(file, 0) != 0) return 2;
  return weights[3];
}

int scales_label(int length) {
  char *volatile text = malloc(2000);
  memset(text, ' ', (size_t)length);
  free(text);
  return length;
}
