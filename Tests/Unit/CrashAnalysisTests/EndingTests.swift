import CrashAnalysis
import IncidentModel
import Testing

/// How a run ended, as far as its log can know, and no further.
@Suite("How a run ended") struct EndingTests {
  private func report(_ ending: RunEnding, _ change: (inout RunSigns) -> Void = { _ in }) throws
    -> Report
  {
    let run = MadeUpRun(ending)
    change(&run.signs)
    return try run.report()
  }

  private func manner(_ report: Report) -> String { report.recordings.first?.manner ?? "" }

  @Test(
    "What ends without a word was killed or called _exit; a crash is ruled out by the handler alone"
  )
  func killed() throws {
    #expect(
      manner(try report(.killed) { $0.hasCrashHandler = true }) == "was killed, or called _exit")
    let doubtful = try report(.killed)
    #expect(manner(doubtful).hasSuffix("or crashed without a crash handler"))
    #expect(doubtful.entries.first?.finding.fix.text.hasPrefix("Install the crash handler") == true)
  }

  @Test(
    "What the log knows of a kill for lack of memory is said, and whether the next start will know",
    arguments: [
      (MemoryKills.unknown, "no memory warning was recorded; the kernel log names"),
      (.awaitNextRun, "not ruled out: the next run with this log"),
      (.none, "the next run found no such kill"),
    ])
  func memoryKills(_ state: MemoryKills, why: String) throws {
    let finding = try #require(
      try report(.killed) {
        $0.hasCrashHandler = true
        $0.memoryKills = state
      }.entries.first?.finding)
    #expect(finding.fix.text.contains("Start the service again") == (state == .awaitNextRun))
    let memory = try #require(finding.alternatives?.first { $0.what == "lack of memory" })
    #expect(memory.refusal.hasPrefix(why), "\(memory.refusal)")
  }

  @Test("A sign of life after the last crumb bounds the end, and without one nothing is claimed")
  func bounds() throws {
    func evidence(_ alive: UInt64?) throws -> [String] {
      let finding = try report(.killed) { $0.aliveMonotonic = alive }.entries.first?.finding
      return finding?.evidence.map(\.text) ?? []
    }
    #expect(
      try evidence(14_000_000_000).contains { $0.contains("last ran 13 s after the last crumb") })
    #expect(try evidence(900_000_000).contains { $0.contains("no later than the last crumb") })
    #expect(try evidence(nil).contains { $0.hasSuffix("the time between the two is unknown") })
  }

  @Test("An exit names its status; only one that says that something went wrong is a finding")
  func exits() throws {
    let failed = try report(.clean) { $0.exitStatus = 3 }
    #expect(manner(failed) == "exited with status 3")
    #expect(failed.entries.map(\.finding.title) == ["The process exited with status 3"])
    let well = try report(.clean) { $0.exitStatus = 0 }
    #expect(manner(well) == "exited normally" && well.entries.isEmpty)
  }

  @Test("Who takes the signal that asks it to end, and does not exit, was killed afterwards")
  func asked() throws {
    let taken = try report(.terminated(signal: 15)) { $0.takesAsk = true }
    #expect(manner(taken).hasPrefix("was asked to end by SIGTERM, did not exit"))
    #expect(taken.entries.map(\.finding.rule) == ["unclean-end"])
    let struck = try report(.terminated(signal: 15))
    #expect(manner(struck) == "was asked to end by SIGTERM" && struck.entries.isEmpty)
  }

  /// Every ending, with and without a hang that did not end and what the header may say beside it.
  private static let table: [(RunEnding, hangs: Bool, hasHandler: Bool, told: Told)] = {
    let endings: [RunEnding] = [
      .clean, .terminated(signal: 15), .killedInHang, .killed, .outOfMemory(.certain),
      .outOfMemory(.probable), .reboot, .cutShort,
    ]
    return endings.flatMap { ending in
      [false, true].flatMap { hangs in
        [false, true].flatMap { hasHandler in
          Told.allCases.map { (ending, hangs, hasHandler, $0) }
        }
      }
    }
  }()

  @Test("A program that crashscan run started is not asked to install the crash handler")
  func ofCrashscan() throws {
    let run = MadeUpRun(.killed)
    run.signs.isOfCrashscan = true
    let fix = try #require(try run.finding("unclean-end")).fix.text
    #expect(fix.contains("crashscan core") && !fix.contains("Install"), "\(fix)")
  }

  /// What a lifecycle crumb says of who asked the process to end.
  enum Told: CaseIterable { case nothing, byItself, bySignal }

  @Test(
    "What the report says of an ending and what the finding about it says are one", arguments: table
  )
  func oneJudgement(_ row: (RunEnding, hangs: Bool, hasHandler: Bool, told: Told)) throws {
    let run = MadeUpRun(row.0)
    run.signs.hasCrashHandler = row.hasHandler
    run.signs.takesAsk = true
    if row.hangs { run.add(.hang, "the main queue does not answer") }
    switch row.told {
    case .nothing: break
    case .byItself: run.add(.lifecycle, "will terminate")
    case .bySignal:
      run.add(
        .lifecycle, "will terminate", [("signal", .string("SIGTERM")), ("sender", .integer(1))])
    }
    let report = try run.report()
    let words = manner(report)
    let finding = report.entries.map(\.finding).first { $0.isVerdict }
    // What held the process to the end tells of its end as well.
    let ending = finding?.merged?.first { $0.rule == "unclean-end" }
    if let title = ending?.title ?? finding?.title, !title.contains(" → killed ") {
      #expect(title == "The process " + words)
    }
    let isWordless = row.0.isWordless
    #expect(isWordless || row.0.isOnRequest == (finding != nil))
    if isWordless { #expect(finding != nil) }
    #expect(!words.contains("by a signal"))
    #expect(!words.contains("asked to end by") || row.told == .bySignal || row.0.isOnRequest)
    if words.contains("hung") { #expect(finding?.identity == "hang", "\(words)") }
    if finding?.rule == "unclean-end" {
      #expect(words.contains("hung") == (finding?.identity == "hang"), "\(words)")
    }
    if row.0 == .outOfMemory(.probable) { #expect(words.contains("was probably killed")) }
    if row.0 == .outOfMemory(.certain) { #expect(!words.contains("probably")) }
    if row.0 == .killedInHang, row.told == .nothing {
      #expect(finding?.identity == "hang" && finding?.severity == .error)
    }
    // A crash handler records neither a kill for memory, nor a hang, nor the end of the machine.
    if let finding, finding.identity != "silent" {
      #expect(!finding.fix.text.contains("crash handler"), "\(words)")
    }
  }

  @Test("A crash that a handler of the host's had last is only possibly its end")
  func possibleCrash() throws {
    let run = MadeUpRun(.crash(signal: 11, .possible))
    run.die(of: 11, address: 0)
    let recording = try #require(try run.report().recordings.first)
    #expect(recording.ending == .crash(signal: 11, .possible))
    #expect(
      recording.manner
        == "passed SIGSEGV at 0x0 to its own handler, and recorded nothing afterwards")
    let certain = MadeUpRun(.reported)
    certain.die(of: 11, address: 0)
    #expect(manner(try certain.report()) == "crashed, SIGSEGV at 0x0")
  }
}
