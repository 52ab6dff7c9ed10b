import ProcessTesting
import Testing

@Suite("A fully static program", .enabled(if: StaticLibrary.isThere && !isSanitized))
struct StaticProgramTests {
  private static let threads = """
    #include <pthread.h>
    #include <stdio.h>

    static void *run(void *given) { puts("ran"); return given; }

    int main(void) {
      pthread_t thread;
      int failure = pthread_create(&thread, NULL, run, NULL);
      if (failure == 0) pthread_join(thread, NULL);
      return failure;
    }
    """

  @Test("starts threads, through our function and the C library's")
  func startsThreads() throws {
    let sources = [
      "Crash/CCrashHandler/alternate_stacks.c", "Crash/CCrashHandler/stack_pool.c",
      "Recorder/CRecorder/runtime/off.c",
    ]
    let ended = try SmallProgram.run(Self.threads, with: sources, flags: ["-static"])
    #expect(ended.output == "ran\n" && ended.status == 0 && ended.signal == 0)
  }
}

/// The C library as an archive, which distributions may keep apart.
private enum StaticLibrary {
  static let isThere =
    (try? SmallProgram.run("int main(void) {}", with: [], flags: ["-static"]))?.status == 0
}
