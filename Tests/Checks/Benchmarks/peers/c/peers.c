#define _GNU_SOURCE
#include "CPeers.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

bool bench_counter_is_trusted = false;

void bench_start(void) {
  FILE *source = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
  if (source == NULL) return;
  char name[32] = "";
  bench_counter_is_trusted = fgets(name, sizeof name, source) != NULL && strcmp(name, "tsc\n") == 0;
  fclose(source);
}

uint8_t *bench_map(const char *path, size_t size) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return NULL;
  uint8_t *region = NULL;
  if (posix_fallocate(file, 0, (off_t)size) == 0) {
    void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) region = mapped;
  }
  close(file);
  if (region != NULL) memset(region, 1, size);
  return region;
}

bool bench_pin(int thread) {
  cpu_set_t allowed, chosen;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
  int wanted = thread % CPU_COUNT(&allowed);
  for (int core = 0; core < CPU_SETSIZE; core++) {
    if (!CPU_ISSET(core, &allowed) || wanted-- != 0) continue;
    CPU_ZERO(&chosen);
    CPU_SET(core, &chosen);
    return sched_setaffinity(0, sizeof chosen, &chosen) == 0;
  }
  return false;
}

int bench_unw_backtrace(void **frames, int capacity) { return unw_backtrace(frames, capacity); }

void *bench_stdio_open(const char *path) { return fopen(path, "ae"); }

void bench_stdio_write(void *file, const char *line, size_t length) {
  fwrite(line, 1, length, file);
}

void bench_stdio_close(void *file) { fclose(file); }
