import ProcessTesting
import Testing

@Suite("Dispositions")
struct DispositionTests {
  @Test(
    "are as they were after install, uninstall and any repetition of the two",
    arguments: ["restores-dispositions", "keeps-ignored", "keeps-later-handler"])
  func areAsTheyWere(way: String) throws {
    let victim = try ChildProcess.run("victim", [way, "main", "-"])
    #expect(victim.signal == 0 && victim.status == 0, "\(victim.output)\(victim.errors)")
  }

  @Test("write nothing below the smallest alternate stack of the host's")
  func keepToSmallStacks() throws {
    let victim = try ChildProcess.run("victim", ["small-stacks", "main", "-"])
    #expect(victim.signal == 0 && victim.status == 0, "\(victim.output)\(victim.errors)")
  }

  @Test(
    "run on the interrupted stack if they were installed without SA_ONSTACK",
    .enabled(if: !isSanitized),
    arguments: ["large-frames", "large-frames-return"])
  func runOnTheInterruptedStack(way: String) throws {
    let victim = try ChildProcess.run("victim", [way, "main", "-"])
    #expect(victim.signal == 0 && victim.status == 0, "\(victim.output)\(victim.errors)")
  }

  @Test("are handed to whoever recovers, on whatever alternate stack")
  func recoverOnALowerStack() throws {
    let victim = try ChildProcess.run("victim", ["lower-stack", "main", "-"])
    #expect(victim.signal == 0 && victim.status == 0, "\(victim.output)\(victim.errors)")
  }

  /// A handler that was left and not known to be would be waited for half a minute: as long as a child has.
  @Test("of a thread that left its crash's handler and recorded again hold up nobody")
  func leftHandlersHoldUpNobody() throws {
    let victim = try ChildProcess.run("victim", ["left-handler", "main", "-"])
    #expect(victim.signal == 0 && victim.status == 0, "\(victim.output)\(victim.errors)")
  }

  @Test("only CrashCapture stands before pthread_create")
  func onlyCrashCaptureInterposes() throws {
    let listed = try ChildProcess.run(
      path: "/bin/sh",
      [
        "-c", "cd \"$1\" && nm -A --defined-only *.build/*.o | grep ' T pthread_create$'", "sh",
        ChildProcess.directory,
      ], [:])
    let lines = listed.output.split(separator: "\n")
    #expect(lines.count == 1 && lines.allSatisfy { $0.hasPrefix("CCrashHandler.build/") })
  }
}
