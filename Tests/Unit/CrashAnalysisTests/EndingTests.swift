import CrashAnalysis
import IncidentModel
import Testing

/// How a run ended, as far as its log can know, and no further.
@Suite("How a run ended") struct EndingTests {
  /// A run of one crumb with such a header.
  private final class Run: EventSource {
    let queues = QueueTable()
    let format = "breadcrumbs"
    let recording = "till"
    let process: Incident.Process? = Incident.Process(
      id: 7, executable: "/opt/till", openedWall: 1, openedMonotonic: 1)
    let modules: [SeenModule] = []
    let crash: Crash? = nil
    let threads: [Int: IncidentThread] = [:]
    let losses = Incident.Losses()
    let unread: [Unread] = []
    let ending: RunEnding
    let signs: RunSigns

    private let crumb: EventBytes
    private var isRead = false

    init(_ ending: RunEnding, _ signs: RunSigns) {
      self.ending = ending
      self.signs = signs
      var row = EventRow()
      row.monotonic = 1_000_000_000
      row.wall = 1_000_000_000
      row.thread = 1
      crumb = EventBytes(row, category: "", message: "working", data: [], frames: [])
    }

    func next(into batch: EventBatch) -> Bool {
      batch.removeAll()
      defer { isRead = true }
      if !isRead { batch.append(crumb.row) }
      return !isRead
    }
  }

  private func report(_ ending: RunEnding, _ change: (inout RunSigns) -> Void = { _ in }) throws
    -> Report
  {
    var signs = RunSigns()
    change(&signs)
    return Report(try Analyzer().analyze(Run(ending, signs), input: "till.log"))
  }

  private func manner(_ report: Report) -> String { report.recordings.first?.manner ?? "" }

  @Test(
    "What ends without a word was killed or left by _exit; a crash is ruled out by the handler alone"
  )
  func killed() throws {
    #expect(
      manner(try report(.killed) { $0.hasCrashHandler = true }) == "was killed, or left by _exit")
    let doubtful = try report(.killed)
    #expect(manner(doubtful).hasSuffix("or it crashed where nothing records that"))
    #expect(doubtful.entries.first?.finding.fix.text.hasPrefix("Install the crash handler") == true)
  }

  @Test("A sign of life after the last crumb bounds the end, and without one nothing is claimed")
  func bounds() throws {
    func evidence(_ alive: UInt64?) throws -> [String] {
      let finding = try report(.killed) { $0.aliveMonotonic = alive }.entries.first?.finding
      return finding?.evidence.map(\.text) ?? []
    }
    #expect(
      try evidence(14_000_000_000).contains { $0.contains("last ran 13 s after its last crumb") })
    #expect(try evidence(900_000_000).contains { $0.contains("no later than its last crumb") })
    #expect(try evidence(nil).contains { $0.hasSuffix("how long after is not known") })
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
}
