import ProcessTesting
import Testing

@Suite("A thread's alternate stack", .enabled(if: !isSanitized))
struct AlternateStackTests {
  @Test("is its own, and takes no maps that would have been another thread's")
  func takesNoMaps() throws {
    let victim = try ChildProcess.run("victim", ["maps-of-threads", "main", "-"])
    #expect(victim.signal == 0 && victim.status == 0, "\(victim.output)\(victim.errors)")
  }
}
