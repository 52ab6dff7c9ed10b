import Foundation
import PastDeaths
import ProcessTesting
import Testing

@Suite("A death is handed out at the next start", .enabled(if: !isSanitized))
struct DeliveryTests {
  private let log = TestFiles.path("breadcrumbs.log")

  private func run(_ words: String...) throws -> [String] {
    try ChildProcess.run(
      "past-deaths-trial", [log] + words, environment: ["SWIFT_BACKTRACE": "enable=no"]
    ).output.split(separator: "\n").map(String.init)
  }

  @Test("Once, with its context, release and build ids, and without names")
  func once() throws {
    #expect(try run("hand-out", "crash") == ["finished 0"])
    let lines = try run("hand-out")
    try #require(lines.count == 3 && lines[2] == "finished 1", "\(lines)")
    let death = try Death(lines[1])
    #expect(lines[0].hasPrefix("null \(death.id) "))
    #expect(death.context.map(\.key) == ["route", "request"])
    #expect(death.release == "1.4.2" && death.environment == "trial" && death.host != nil)
    let own = death.stack?.frames.first { $0.module == "past-deaths-trial" }
    #expect(own?.offset != nil && death.functions.isEmpty)
    #expect(
      death.modules.contains { $0.path.hasSuffix("trial") && [16, 40].contains($0.buildID.count) })
    #expect(try run("hand-out") == ["finished 0"])
    // Who has the symbols gets the same one, with names.
    let shown = try Death(Death.shown(keptLog(2)).output)
    #expect(shown.id == death.id && !shown.functions.isEmpty)
  }

  private func keptLog(_ number: Int) -> String {
    log.replacing(".log", with: ".\(number).log")
  }

  @Test("Every one of several, the oldest first, and no clean end")
  func several() throws {
    for word in ["crash", "say", "fail", "term", "kill"] { _ = try run(word) }
    let kinds = try run("hand-out").filter { !$0.hasPrefix("{") }
      .map { $0.split(separator: " ")[0] }
    #expect(kinds == ["null", "fatal-error", "killed", "finished"])
  }

  @Test(
    "A kill for lack of memory is told as one",
    .enabled(if: MemoryGroup() != nil, "needs the right to make a control group"))
  func memory() throws {
    let group = try #require(MemoryGroup())
    let command = group.command + [ChildProcess.directory + "/past-deaths-trial", log]
    #expect(try ChildProcess.run(path: "/bin/sh", command + ["eat"]).signal == SIGKILL)
    let lines = try ChildProcess.run(path: "/bin/sh", command + ["hand-out"]).output
    #expect(lines.hasPrefix("killed-for-memory "), "\(lines)")
    #expect(lines.hasSuffix("\nfinished 1\n"))
  }

  @Test("Who does not ask for it has none of it, and who does needs no libdw")
  func linked() throws {
    let folder = ChildProcess.directory
    let plain = try Data(contentsOf: URL(fileURLWithPath: folder + "/mainstay-trial"))
    let asking = try Data(contentsOf: URL(fileURLWithPath: folder + "/past-deaths-trial"))
    for name in ["$s10PastDeaths", "$s10LogReading", "$s12DeathRecords"] {
      #expect(plain.range(of: Data(name.utf8)) == nil, "\(name)")
      #expect(asking.range(of: Data(name.utf8)) != nil, "\(name)")
    }
    // Neither writes traces nor draws a screen.
    #expect(asking.range(of: Data("$s15CrashscanOutput".utf8)) == nil)
    #expect(asking.range(of: Data("libdw.so".utf8)) == nil)
    #expect(asking.range(of: Data("libsimdjson".utf8)) == nil)
  }

  @Test("Again, as long as nobody takes it")
  func refused() throws {
    _ = try run("crash")
    for _ in 0..<5 {
      let lines = try run("refuse")
      #expect(lines.first == "finished 0")
      #expect(
        lines.count == 2
          && lines[1].contains(
            "the handler threw an error, so the next start delivers this death again: NotNow()")
      )
    }
  }

  @Test("A third time and no more where taking it ends the process")
  func fatal() throws {
    _ = try run("crash")
    let first = try Death(Death.shown(log).output).id
    for _ in 0..<3 {
      #expect(try run("die-taking").isEmpty)
    }
    // The three that died are handed out; of them the log was read as often as it took.
    let lines = try run("hand-out")
    #expect(!lines.contains { $0.contains(first) })
    #expect(lines.last == "finished 3")
  }

  @Test("By one look of two at once")
  func twice() throws {
    _ = try run("crash")
    #expect(try run("twice") == ["finished 0", "finished 1"])
  }

  @Test("On a thread of its own, of a low priority, to which none of the host's signals go")
  func place() throws {
    _ = try run("crash")
    #expect(try run("where") == ["own true blocks true nice 10", "finished 1"])
  }

  @Test("To a file that is whole, and to none where there is no place for it")
  func files() throws {
    _ = try run("crash")
    let folder = TestFiles.directory()
    let missing = try run("write=\(folder)/missing")
    #expect(missing.first == "finished 0")
    #expect(missing.count == 2 && missing[1].contains("cannot be written"))
    #expect(try run("write=\(folder)") == ["finished 1"])
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let name = try #require(files.first)
    #expect(files.count == 1 && name.hasSuffix(".envelope"))
    let envelope = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    #expect(envelope.hasPrefix("{\"event_id\":\"\(name.dropLast(9))\""))
  }

  @Test("Never where it cannot be noted", arguments: ["directory", "link", "pipe"])
  func unnoted(_ what: String) throws {
    _ = try run("crash")
    let (ledger, other) = (log + ".deaths", TestFiles.path("other"))
    switch what {
    case "directory":
      try FileManager.default.createDirectory(atPath: ledger, withIntermediateDirectories: false)
    case "link":
      try "mine".write(toFile: other, atomically: true, encoding: .utf8)
      try FileManager.default.createSymbolicLink(atPath: ledger, withDestinationPath: other)
    default: #expect(mkfifo(ledger, 0o600) == 0)
    }
    let lines = try run("hand-out")
    #expect(lines.count == 2 && lines[0] == "finished 0" && lines[1].contains(ledger), "\(lines)")
    if what == "link" { #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine") }
    try FileManager.default.removeItem(atPath: ledger)
    #expect(try run("hand-out").last == "finished 1")
  }

  @Test("Notes that are none, or cut, count for nothing")
  func damagedNotes() throws {
    _ = try run("crash")
    let noise = (0..<4000).map { _ in UInt8.random(in: 0...255) }
    try Data(noise + Array("abc tried--1\nabc done x\ndon".utf8)).write(
      to: URL(fileURLWithPath: log + ".deaths"))
    #expect(try run("hand-out").last == "finished 1")
    #expect(try run("hand-out").last == "finished 0")
  }

  @Test("Much that was noted is forgotten, but not what is still there")
  func manyNotes() throws {
    _ = try run("crash")
    let old = (0..<2500).map { "\(String($0, radix: 16)) tried-1\n\(String($0, radix: 16)) done\n" }
    try old.joined().write(toFile: log + ".deaths", atomically: true, encoding: .utf8)
    #expect(try run("hand-out").last == "finished 1")
    let notes = try String(contentsOfFile: log + ".deaths", encoding: .utf8)
    #expect(notes.split(separator: "\n").count == 1 && notes.hasSuffix(" done\n"), "\(notes)")
    #expect(try run("hand-out").last == "finished 0")
  }
}
