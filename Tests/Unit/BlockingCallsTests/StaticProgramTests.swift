import ProcessTesting
import Testing

@Suite("A fully static program", .long, .enabled(if: !isSanitized))
struct StaticProgramTests {
  private static let program = """
    #include <stdio.h>
    #include <unistd.h>

    int main(void) {
      int ends[2];
      char byte = 0;
      if (pipe(ends) != 0 || write(ends[1], &byte, 1) != 1) return 1;
      printf("%zd", read(ends[0], &byte, 1));
    }
    """
  private static let sources = [
    "Interposers/CInterposers/blocking", "Interposers/CInterposers/shared", "Recorder/CLogFormat",
    "Recorder/CRecorder/log",
    "Recorder/CRecorder/signals/blocking_crumbs.c", "Recorder/CRecorder/signals/periodic.c",
    "Recorder/CRecorder/signals/loop_threads.c", "Recorder/CRecorder/signals/threads.c",
    "Recorder/CRecorder/queue", "Recorder/CRecorder/runtime", "Recorder/CRecorder/walk",
  ]

  @Test(
    "ends with a sentence where calls cannot be looked at; a dynamic one goes on",
    arguments: [true, false])
  func endsWithASentence(isStatic: Bool) throws {
    // Swift's runtime is not needed for this.
    let unresolved = ["-Wl,--unresolved-symbols=ignore-all", "-Wl,-z,lazy"]
    let flags = unresolved + (isStatic ? ["-static"] : [])
    guard !isStatic || (try? SmallProgram.build("int main(void) {}", with: [], flags: flags)) != nil
    else { return }
    let ended = try SmallProgram.run(Self.program, with: Self.sources, flags: flags)
    #expect(ended.signal == 0 && ended.status == (isStatic ? 127 : 0))
    #expect(isStatic ? ended.errors.contains("fully static program") : ended.output == "1")
  }
}
