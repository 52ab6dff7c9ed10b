import CrashAnalysis
import IncidentModel
import Testing

/// Whether a report says that its log holds little of the run.
@Suite("A log that holds less than a minute of its run") struct HeldStoryTests {
  private let run = MadeUpRun()

  private func said() throws -> String? { try run.report().recordings.first?.shortfall }

  /// A thread's crumbs with these numbers, evenly over these seconds.
  private func leave(
    _ numbers: ClosedRange<UInt32>, thread: UInt32 = 1, over seconds: ClosedRange<Double>
  ) {
    let step = (seconds.upperBound - seconds.lowerBound) / Double(max(numbers.count - 1, 1))
    for number in numbers {
      let after = Double(number - numbers.lowerBound) * step
      run.add(number: number, thread: thread, after: seconds.lowerBound + after)
    }
  }

  @Test("The last seconds of a long run are said to be that, with what a minute takes")
  func flooded() throws {
    run.losses.recycled = [.note: 8_000_000]
    leave(8_000_000...8_000_100, over: 238.0...240.0)
    let said = try #require(try said())
    #expect(
      said.hasPrefix("The log holds the last 2 s of 4 min: newer crumbs overwrote older ones."))
    #expect(
      said.hasSuffix("To keep the last minute, open the log with about 30 times the “capacity”"))
  }

  @Test("Of a run that was short, all of it is what a larger log would hold")
  func short() throws {
    run.losses.recycled = [.note: 400_000]
    leave(400_000...400_100, over: 9.0...10.0)
    #expect(
      try said()?.hasSuffix(
        "To keep the whole run, open the log with about 10 times the “capacity”") == true)
  }

  @Test("A thread that is quiet beside a flood does not make its story longer, nor do handlers")
  func quiet() throws {
    run.losses.recycled = [.hop: 1_000_000]
    leave(0...3, thread: 2, over: 0.0...1.0)
    leave(5_000...5_100, thread: 3, over: 299.0...300.0)
    // Left by a signal handler while the crumb before it was being left, whose number is higher.
    run.add(number: 5, thread: 2, after: 300.0)
    run.add(number: 4, thread: 2, after: 300.0)
    #expect(try said()?.hasPrefix("The log holds the last 1 s of 5 min:") == true)
  }

  @Test(
    "A story that is kept whole is not said to be short, however short it was",
    // Other kinds push out their own alone.
    arguments: [[:], [.violation: 5_000]] as [[CrumbKind: UInt64]])
  func whole(recycled: [CrumbKind: UInt64]) throws {
    run.losses.recycled = recycled
    leave(1...100, over: 1.0...10.0)
    let recording = try #require(try run.report().recordings.first)
    #expect(recording.shortfall == nil && recording.lastSeen == 10_000_000_000)
  }

  @Test("More than a minute is enough, whatever was overwritten before")
  func long() throws {
    run.losses.recycled = [.note: 50_000]
    leave(50_000...50_100, over: 200.0...261.0)
    let recording = try #require(try run.report().recordings.first)
    #expect(recording.shortfall == nil && recording.gaps?.heldSince == 200_000_000_000)
  }

  @Test(
    "Where numbers may be missing for another reason, only the oldest crumb counts",
    arguments: ["violations", "dropped", "damaged", "unfinished"])
  func doubtful(reason: String) throws {
    run.losses.recycled = [.note: 5_000]
    leave(5_000...5_100, thread: 4, over: 100.0...130.0)
    leave(6_000...6_100, thread: 4, over: 131.0...190.0)
    switch reason {
    case "violations": run.losses.recycled[.violation] = 900
    case "dropped": run.losses.dropped = [.note: 900]
    case "damaged": run.unread = [Unread(offset: 8_192, length: 64, reason: .damaged)]
    default: run.unread = [Unread(offset: 8_192, length: 64, reason: .unfinished)]
    }
    #expect((try said() == nil) == (reason != "unfinished"))
  }

  @Test("A summary that an earlier version wrote says nothing of it")
  func earlier() throws {
    run.losses.recycled = [.note: 8_000_000]
    leave(8_000_000...8_000_100, over: 238.0...240.0)
    let written = try Analyzer().analyze(run, input: "till.log").json
    let older = written.replacing(/"heldSince":\d+,/, with: "")
    #expect(written != older)
    let read = try Summary(json: Array(older.utf8))
    #expect(Report(read).recordings.first?.shortfall == nil)
    #expect(Report(try Summary(json: Array(written.utf8))).recordings.first?.shortfall != nil)
  }
}
