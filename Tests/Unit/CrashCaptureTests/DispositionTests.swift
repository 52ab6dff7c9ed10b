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
