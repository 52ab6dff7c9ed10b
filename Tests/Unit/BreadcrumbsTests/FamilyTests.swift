import LogReading
import Glibc
import IncidentModel
import ProcessTesting
import Testing

@testable import Breadcrumbs

/// The logs of one path, where one among them is damaged, somebody else's, or moved by somebody else.
struct FamilyTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for number in 1...3 {
      let run = try Program.run("recorder-trial", ["crash-loop", scratch.log, "\(number)", "3"])
      #expect(run.signal == SIGKILL)
    }
  }

  private func olderLogs() throws -> [String] {
    try LogReader(path: scratch.log).olderLogs.map { String($0.dropFirst(scratch.path.count + 1)) }
  }

  private func move(_ name: String, to other: String) {
    #expect(rename(scratch.path + "/" + name, scratch.path + "/" + other) == 0)
  }

  @Test func theOlderLogsAreThoseOfEarlierRuns() throws {
    #expect(try olderLogs() == ["breadcrumbs.1.log", "breadcrumbs.2.log"])
  }

  @Test(arguments: ["no log", ""])
  func oneThatCannotBeReadHidesNoneBehindIt(contents: String) throws {
    try scratch.write(contents, to: "breadcrumbs.1.log")
    #expect(try olderLogs() == ["breadcrumbs.2.log"])
    #expect(try scratch.incident("breadcrumbs.2.log").ending == .killed)
  }

  @Test func oneThatIsDamagedInTheMiddleIsReadAsFarAsItGoes() throws {
    #expect(truncate(scratch.path + "/breadcrumbs.1.log", 5000) == 0)
    #expect(try olderLogs() == ["breadcrumbs.1.log", "breadcrumbs.2.log"])
    #expect(try scratch.incident("breadcrumbs.2.log").ending == .killed)
  }

  @Test func theLogOfAnotherProgramIsNoneOfThem() throws {
    move("breadcrumbs.log", to: "others.log")
    let own = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
    own.close()
    #expect(try olderLogs() == [])
    #expect(try scratch.incident("breadcrumbs.1.log").ending == .killed)
  }

  /// As a tool does that rotates what we have rotated.
  @Test func oneThatWasMovedOnceMoreIsStillRead() throws {
    move("breadcrumbs.1.log", to: "breadcrumbs.1.log.1")
    #expect(try olderLogs() == [], "the number after a gap is an older story")
    #expect(try scratch.incident("breadcrumbs.1.log.1").messages.contains("run 2"))
    #expect(try scratch.incident("breadcrumbs.1.log.1").ending == .killed)
  }
}
