import ProcessTesting
import Testing
import VictimTrials

@Suite(
  "A crashed stack", .enabled(if: !isSanitized && DebuggerComparison.isPossible), .serialized, .long
)
struct DebuggerTests {
  @Test(
    "is what gdb finds in the core dump",
    arguments: [
      ("null-read", "main"), ("null-read", "thread"), ("undefined-instruction", "main"),
      ("abort", "worker"), ("assert", "main"), ("loader-lock-held", "main"),
      ("call-null", "main"), ("fatal-error", "worker"), ("dispatch-precondition", "worker"),
      ("throw-across-callback", "main"),
    ])
  func isWhatTheDebuggerFinds(way: String, place: String) throws {
    let comparison = DebuggerComparison(executable: ChildProcess.directory + "/victim")
    let (count, differences) = try comparison.differences(way: way, place: place)
    #expect(differences.isEmpty)
    #expect(count > 5)
  }
}
