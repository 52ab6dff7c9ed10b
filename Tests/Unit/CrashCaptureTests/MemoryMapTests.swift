import ProcessTesting
import Testing

@Suite("The walk through the memory of the process", .enabled(if: !isSanitized && !isUnderQemu))
struct MemoryMapTests {
  private static let sources = ["Crash/CCrashHandler/memory_map.c"]

  /// A program that looks for objects of 208 bytes, which begin with `wanted` and end with it.
  private static let search = """
    #include <fcntl.h>
    #include <pthread.h>
    #include <setjmp.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <unistd.h>
    #include "crash.h"
    #include "memory_map.h"

    enum { size = 208, words = size / 8 };
    static uint64_t mask = 0x5a5a5a5a5a5a5a5a;
    static uint64_t wanted(void) { return 0x123456789abcdef0 ^ mask; }
    static uintptr_t found[4096];
    static int count;

    static ms_memory_walk walk;
    static sigjmp_buf place;
    static void go_back(int signal) { siglongjmp(place, signal); }
    static bool recover(void (*work)(void *), void *argument) {
      if (sigsetjmp(place, 1)) return false;
      work(argument);
      return true;
    }
    static bool is_in_place;

    static void look(uintptr_t address, const uintptr_t *copy, size_t bytes, void *unused) {
      for (size_t i = 0; i + words <= bytes / 8; i += 2) {
        uintptr_t at = address + i * 8;
        // The walk's own copy is memory of the process, too.
        if (at >= (uintptr_t)&walk && at < (uintptr_t)(&walk + 1)) continue;
        if (copy[i] == wanted() && copy[i + words - 1] == wanted() && count < 4096) found[count++] = at;
      }
    }
    static void put(char *at) { ((uint64_t *)at)[0] = ((uint64_t *)at)[words - 1] = wanted(); }

    static bool visit(uint64_t nanoseconds) {
      count = 0;
      walk.until = ms_now() + nanoseconds;
      walk.object_size = size;
      walk.recover = is_in_place ? recover : NULL;
      walk.visit = look;
      return ms_memory_visit(&walk);
    }
    static char *map(size_t length, int flags, int file) {
      return mmap(NULL, length, PROT_READ | PROT_WRITE, flags, file, 0);
    }

    """

  private func run(_ main: String, inPlace: Bool = false) throws -> ChildProcess {
    let start = """
      __attribute__((constructor)) static void start(void) {
        is_in_place = \(inPlace);
        signal(SIGSEGV, go_back), signal(SIGBUS, go_back);
      }

      """
    return try SmallProgram.run(
      Self.search + start + main, with: Self.sources, flags: ["-lpthread", "-Wno-unused"])
  }

  @Test(
    "finds each object once, wherever it lies, and none in files and read-only memory",
    arguments: [false, true])
  func eachOnce(inPlace: Bool) throws {
    let ended = try run(
      """
      static int descriptors(void) {
        int count = 0;
        for (int file = 0; file < 64; file++) count += fcntl(file, F_GETFD) >= 0;
        return count;
      }
      int main(void) {
        char *memory = map(64 << 20, MAP_PRIVATE | MAP_ANONYMOUS, -1);
        char *large = map(160 << 20, MAP_PRIVATE | MAP_ANONYMOUS, -1);
        memset(memory, 1, 64 << 20);
        int expected = 0;
        // Across the borders of pages, of the copies and of the parts of a mapping, and at both ends.
        for (size_t at = 4096 - 96; at < 64 << 20; at += 32768) put(memory + at), expected++;
        put(memory), put(memory + (64 << 20) - 208), expected += 2;
        // On both sides of a guard page, where the kernel has such pages (MADV_GUARD_INSTALL).
        char *guard = memory + (33 << 20) + 8192;
        madvise(guard, 4096, 102);
        put(guard - 208), put(guard + 4096), expected += 2;
        put(large + (150 << 20)), expected++;
        char *volatile allocated = aligned_alloc(16, 208);
        put(allocated), expected++;
        char *readonly = map(4096, MAP_PRIVATE | MAP_ANONYMOUS, -1);
        put(readonly), mprotect(readonly, 4096, PROT_READ);
        put(map(4096, MAP_SHARED | MAP_ANONYMOUS, -1));
        put(map(4096, MAP_PRIVATE, open("/proc/self/exe", O_RDONLY)));
        int before = descriptors();
        bool is_whole = visit(60000000000) && walk.unread == 0 && descriptors() == before;
        for (int i = 1; i < count; i++) for (int j = 0; j < i; j++) is_whole &= found[i] != found[j];
        printf("%d of %d %d", count, expected, is_whole);
      }
      """, inPlace: inPlace)
    #expect(ended.output == "2054 of 2054 1")
  }

  @Test("maps no page that the process has not touched")
  func touchesNothing() throws {
    let ended = try run(
      """
      static long resident(void) {
        long all, here;
        FILE *file = fopen("/proc/self/statm", "r");
        if (fscanf(file, "%ld %ld", &all, &here) != 2) return -1;
        fclose(file);
        return here;
      }
      int main(void) {
        char *memory = map(512 << 20, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
        put(memory + (100 << 20));
        visit(60000000000);
        long before = resident();
        visit(60000000000);
        printf("%d %d", count, resident() - before < 64);
      }
      """)
    #expect(ended.output == "1 1")
  }

  @Test("survives memory that disappears, and finds what stays", arguments: [false, true])
  func vanishing(inPlace: Bool) throws {
    let ended = try run(
      """
      static void *change(void *unused) {
        for (;;) {
          char *memory = map(4 << 20, MAP_PRIVATE | MAP_ANONYMOUS, -1);
          memset(memory, 1, 4 << 20);
          munmap(memory, 4 << 20);
        }
      }
      int main(void) {
        pthread_t thread;
        char *memory = map(8 << 20, MAP_PRIVATE | MAP_ANONYMOUS, -1);
        memset(memory, 1, 8 << 20);
        put(memory + (4 << 20));
        for (int i = 0; i < 2; i++) pthread_create(&thread, NULL, change, NULL);
        int seen = 0;
        for (int i = 0; i < 200; i++) visit(60000000000), seen += count == 1;
        printf("%d", seen);
      }
      """, inPlace: inPlace)
    // In place, what lies beside memory that disappears is left out with it.
    let seen = try #require(Int(ended.output))
    #expect(ended.signal == 0 && (inPlace ? seen > 0 : seen == 200))
  }

  @Test("reads the memory of a process whose main thread has ended", arguments: [false, true])
  func withoutMainThread(inPlace: Bool) throws {
    let ended = try run(
      """
      static pthread_t main_thread;
      static void *search(void *unused) {
        pthread_join(main_thread, NULL);
        put(map(4096, MAP_PRIVATE | MAP_ANONYMOUS, -1));
        bool is_listed = visit(60000000000);
        dprintf(1, "%d %d", is_listed, count);
        _exit(0);
      }
      int main(void) {
        pthread_t thread;
        main_thread = pthread_self();
        pthread_create(&thread, NULL, search, NULL);
        pthread_exit(NULL);
      }
      """, inPlace: inPlace)
    #expect(ended.output == "1 1")
  }

  @Test("reads the memory of a forked child, not of its parent, which has walked before")
  func forked() throws {
    let ended = try run(
      """
      #include <sys/wait.h>
      int main(void) {
        uint64_t word = 1, copy = 0;
        visit(60000000000);
        int status = 0;
        if (fork() == 0) {
          word = 2;
          ms_memory_read((uintptr_t)&word, &copy, sizeof copy);
          _exit((int)copy);
        }
        wait(&status);
        printf("%d", WEXITSTATUS(status));
      }
      """)
    #expect(ended.output == "2")
  }

  @Test("ends at its time, and counts what it has not visited")
  func limited() throws {
    let ended = try run(
      """
      int main(void) {
        char *memory = map(256 << 20, MAP_PRIVATE | MAP_ANONYMOUS, -1);
        memset(memory, 1, 256 << 20);
        visit(0);
        int none = walk.unread >= 256 << 20;
        visit(1000000);
        int part = walk.unread > 0;
        visit(60000000000);
        printf("%d %d %d", none, part, walk.unread == 0);
      }
      """)
    #expect(ended.output == "1 1 1")
  }

  @Test("finds nothing without descriptors, and says so")
  func withoutDescriptors() throws {
    let ended = try run(
      """
      #include <sys/resource.h>
      int main(void) {
        struct rlimit none = {3, 3};
        setrlimit(RLIMIT_NOFILE, &none);
        printf("%d", visit(60000000000));
      }
      """)
    #expect(ended.output == "0")
  }
}
