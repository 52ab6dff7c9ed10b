#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "CWalkCheck.h"
#include "interrupted.h"

namespace {

const char *current;
uintptr_t room[2 * ms_room_frames];

void compare_instruction(int, siginfo_t *, void *context) {
  ms_compare_interrupted(current, context, room, ms_room_frames);
}

void compare_with_stepper(int, siginfo_t *, void *context) {
  ms_compare_with_stepper(current, context, room, ms_room_frames);
}

// The trap flag makes the processor trap after each instruction until it is cleared.
inline void start_stepping() {
  __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" : : : "memory", "cc");
}
inline void stop_stepping() {
  __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" : : : "memory", "cc");
}

void sort() {
  int numbers[] = {5, 3, 1, 4, 2};
  qsort(numbers, 5, sizeof *numbers, [](const void *left, const void *right) {
    return *static_cast<const int *>(left) - *static_cast<const int *>(right);
  });
}

void use_containers() {
  std::map<std::string, std::vector<int>> map;
  for (int index = 0; index < 8; index++) map["key " + std::to_string(index)].push_back(index);
}

void use_streams() {
  std::ostringstream stream;
  stream << "text " << 42 << ' ' << 1.5;
}

struct guard {
  ~guard() { __asm__ volatile("" : : : "memory"); }
};
[[gnu::noinline]] void throw_through(int depth) {
  guard guard;
  if (depth == 0) throw std::string("thrown");
  throw_through(depth - 1);
}
void throw_and_catch() {
  try {
    throw_through(3);
  } catch (const std::string &) {
  }
}

void print() {
  char text[200];
  snprintf(text, sizeof text, "%s %d %g %p", "text", 42, 1.5, static_cast<void *>(text));
}

void allocate() {
  void *volatile blocks[20];
  for (size_t index = 0; index < 20; index++) blocks[index] = malloc(index * index * 17);
  for (void *volatile &block : blocks) free(block);
}

// The first call of each function goes through the loader's lazy binding.
void bind_lazily() {
  volatile char text[] = "12, 34";
  char *start = const_cast<char *>(text);
  volatile size_t sum = strcspn(start, ",") + strspn(start, "0123456789");
  sum = sum + static_cast<size_t>(strtol(start, nullptr, 10)) + strlen(strpbrk(start, ","));
}

// OpenSSL's assembly keeps its CFA in memory and in registers that no rule word knows.
using digest = unsigned char *(const unsigned char *, size_t, unsigned char *);
digest *digests[3];

bool find_digests() {
  static const char *const names[] = {"SHA1", "SHA256", "SHA512"};
  void *library = dlopen("libcrypto.so.3", RTLD_NOW);
  for (size_t index = 0; library != nullptr && index < 3; index++) {
    digests[index] = reinterpret_cast<digest *>(dlsym(library, names[index]));
  }
  return library != nullptr && digests[0] && digests[1] && digests[2];
}

void make_digests() {
  static const unsigned char text[2000] = {1};
  unsigned char result[64];
  for (digest *digest : digests) digest(text, sizeof text, result);
}

// While the loader works, libunwind waits for its lock, in a handler for ever. Ours must not.
void open_and_close() {
  void *library = dlopen("libutil.so.1", RTLD_NOW);
  if (library != nullptr) dlclose(library);
}

}  // namespace

static bool step_through(const char *name, void (*body)(void),
                         void (*compare)(int, siginfo_t *, void *)) {
  struct sigaction before = ms_install(SIGTRAP, compare, 0);
  ms_comparison_totals totals = ms_comparison_totals_so_far();
  current = name;
  start_stepping();
  body();
  stop_stepping();
  sigaction(SIGTRAP, &before, nullptr);
  std::string title = std::string("each instruction of ") + name;
  return ms_report(title.c_str(), totals);
}

bool ms_check_each_instruction_of(const char *name, void (*body)(void)) {
  return step_through(name, body, compare_instruction);
}

bool ms_check_each_instruction(void) {
  // Its cache does not tell a return address from an interrupted one.
  unw_set_caching_policy(unw_local_addr_space, UNW_CACHE_NONE);
  bool good = ms_check_each_instruction_of("lazy binding", bind_lazily);
  good = ms_check_each_instruction_of("qsort", sort) && good;
  good = ms_check_each_instruction_of("containers", use_containers) && good;
  good = ms_check_each_instruction_of("streams", use_streams) && good;
  good = ms_check_each_instruction_of("throw", throw_and_catch) && good;
  good = ms_check_each_instruction_of("printf", print) && good;
  good = ms_check_each_instruction_of("malloc", allocate) && good;
  if (find_digests()) {
    make_digests();  // what it does once is done now
    good = ms_check_each_instruction_of("OpenSSL", make_digests) && good;
  }
  unw_set_caching_policy(unw_local_addr_space, UNW_CACHE_GLOBAL);
  return step_through("dlopen and dlclose", open_and_close, compare_with_stepper) && good;
}
