// Reads facts about a process and the machine from /proc: the writer of a log, and whether it is alive.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ms_process.h"

static void read_text(const char *path, char *text, size_t size) {
  text[0] = 0;
  FILE *file = fopen(path, "re");
  if (file == NULL) return;
  size_t got = fread(text, 1, size - 1, file);
  text[got] = 0;
  fclose(file);
}

/// The fields of /proc/PID/stat that are used here.
typedef struct {
  uint64_t start;  // the start time in kernel ticks since boot; 0: no such process
  uint64_t threads;
  char state;
} process_stat;

static process_stat stat_of(const char *path) {
  char text[1024];
  read_text(path, text, sizeof text);
  process_stat found = {0};
  char *field = strrchr(text, ')');  // the end of the second field, the name
  for (int number = 3; field && number <= 22; number++) {
    field = strchr(field + 1, ' ');
    if (field && number == 3) found.state = field[1];
    if (field && number == 20) found.threads = strtoull(field, NULL, 10);
    if (field && number == 22) found.start = strtoull(field, NULL, 10);
  }
  return found;
}

ms_process_sight ms_process_look(const ms_log_identity *identity) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%u/stat", identity->process);
  process_stat found = stat_of(path);
  if (found.start == 0 || found.start != identity->process_start) return MS_PROCESS_UNSEEN;
  // A process whose first thread has ended is also reported as a zombie, even if other threads run.
  bool is_dead = found.state == 'X' || (found.state == 'Z' && found.threads <= 1);
  return is_dead ? MS_PROCESS_DEAD : MS_PROCESS_LIVES;
}

bool ms_boot_id(uint8_t *id) {
  char text[64];
  read_text("/proc/sys/kernel/random/boot_id", text, sizeof text);
  int digits = 0;
  memset(id, 0, 16);
  for (const char *c = text; *c && digits < 32; c++) {
    int value = *c >= '0' && *c <= '9' ? *c - '0' : *c >= 'a' && *c <= 'f' ? *c - 'a' + 10 : -1;
    if (value < 0) continue;
    id[digits / 2] = (uint8_t)(id[digits / 2] << 4 | value);
    digits++;
  }
  return digits == 32;
}

bool ms_is_of_another_boot(const ms_log_identity *identity) {
  uint8_t now[sizeof identity->boot];
  return ms_boot_id(now) && memcmp(now, identity->boot, sizeof now) != 0;
}

uint64_t ms_own_start(void) { return stat_of("/proc/self/stat").start; }
