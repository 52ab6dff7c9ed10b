// Copies the lines that XCTest prints when a test starts, fails or ends. XCTest prints by Swift's `print`, which calls
// `fwrite`; this file interposes `fwrite`.

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "test_lines.h"

static _Atomic int lines = -1;  // the descriptor of the copy; -1: nothing is copied
static pid_t process;

typedef size_t (*write_function)(const void *, size_t, size_t, FILE *);
static _Atomic(write_function) real_write;

void ms_test_lines_begin(const char *path) {
  if (!path) return;
  process = getpid();
  lines = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
}

static bool begins(const char *text, size_t size, const char *with) {
  size_t length = strlen(with);
  return size >= length && memcmp(text, with, length) == 0;
}

/// True for lines such as `Test Case 'A.b' started …` and `/path/A.swift:12: error: A.b : …`.
static bool tells_of_test(const char *text, size_t size) {
  return begins(text, size, "Test Case '") || begins(text, size, "Test Suite '") ||
         memmem(text, size < 1024 ? size : 1024, ": error: ", 9) != NULL;
}

static void copy(int file, const char *text, size_t size) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  char head[64];
  int length = snprintf(head, sizeof head, "%llu %zu\n",
                        (unsigned long long)now.tv_sec * 1000000000 + (unsigned long long)now.tv_nsec, size);
  struct iovec parts[] = {{head, (size_t)length}, {(void *)text, size}, {"\n", 1}};
  if (writev(file, parts, 3) < 0) return;
}

__attribute__((visibility("default"))) size_t fwrite(const void *restrict text, size_t size, size_t count,
                                                     FILE *restrict stream) {
  write_function real = real_write;
  if (!real) real_write = real = (write_function)dlsym(RTLD_NEXT, "fwrite");
  int file = lines;
  if (file >= 0 && stream == stdout && size > 0 && count > 10 / size && getpid() == process &&
      tells_of_test(text, size * count)) {
    copy(file, text, size * count);
  }
  return real(text, size, count, stream);
}
