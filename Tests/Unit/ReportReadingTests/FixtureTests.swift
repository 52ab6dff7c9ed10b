import IncidentModel
import ProcessTesting
import ReportTrials
import Testing

@testable import ReportReading

@Suite struct FixtureTests {
  @Test(arguments: ReportTrial.all)
  func eachReportSaysWhatItShowsAndNothingElse(_ trial: ReportTrial) {
    #expect(trial.complaints(ReportReading(path: trial.path)) == [])
  }

  @Test(.long) func thePageOnAccuracySaysWhatMakeAccuracyFinds() {
    let path = Repository.root.path + "/docs/internals/report-accuracy.md"
    let page = String(decoding: Scratch.bytes(of: path), as: UTF8.self)
    #expect(page.hasPrefix(AccuracyTable(ReportTrial.all).markdown))
  }

  @Test func thePageOfShapesHasALineOfEachExample() {
    let path = Repository.root.path + "/docs/reference/report-shapes.md"
    let shapes = ShapeTable(ReportTrial.all)
    #expect(shapes.missing == [] && shapes.count >= 60)
    #expect(String(decoding: Scratch.bytes(of: path), as: UTF8.self) == shapes.markdown)
  }

  @Test(.long) func thePageSaysWhatBecomesOfDistortedReports() {
    let path = Repository.root.path + "/docs/internals/report-accuracy.md"
    let page = String(decoding: Scratch.bytes(of: path), as: UTF8.self)
    #expect(page.hasSuffix(AccuracyTable.markdown(of: DistortionTable(ReportTrial.all))))
  }

  @Test func aThirdOfTheReportsLooksAlikeOrIsDamaged() {
    let count = { (kind: ReportTrial.Kind) in ReportTrial.all.filter { $0.kind == kind }.count }
    #expect(ReportTrial.all.count >= 80)
    #expect(count(.lookAlike) >= 27)
    #expect(count(.damaged) >= 27)
  }

  @Test(arguments: [
    ("alike-performance-checker.txt", "Dock.wait()"),
    ("alike-performance-checker-oslog.txt", "Periscope.open()"),
  ])
  func aHeldMainThreadThatACheckerReportsIsMainBlocked(file: String, culprit: String) throws {
    let trial = try #require(ReportTrial.all.first { $0.file == file })
    let findings = ReportReading(path: trial.path).entries.map(\.finding)
    #expect(findings.map(\.rule) == ["main-blocked"])
    #expect(findings.first?.culprit?.function == culprit)
  }

  @Test func aSignalThatStandsAboveTheMessageIsTold() throws {
    let trial = try #require(
      ReportTrial.all.first { $0.file == "systemd-coredumpctl-info.txt" })
    #expect(ReportReading(path: trial.path).recordings.map(\.crash) == ["core dumped (SIGILL)"])
  }

  /// What a sanitizer does not tell of threads is not made up: thread 0 would be the main one.
  @Test(arguments: [
    ("alike-asan-double-free.txt", "AddressSanitizer: attempting double-free", 2),
    (
      "alike-asan-wild-free.txt",
      "AddressSanitizer: attempting free on address which was not malloc()-ed", 1
    ),
    ("alike-asan-segv.txt", "AddressSanitizer: SEGV (SIGSEGV)", 0),
    ("alike-asan-swift.txt", "AddressSanitizer: heap-use-after-free", 1),
    ("alike-lsan.txt", "LeakSanitizer: detected memory leaks", nil),
    (
      "alike-ubsan.txt",
      "UndefinedBehaviorSanitizer: signed integer overflow: 2000000000 * 2 cannot be represented in type "
        + "'int' (oven.c:8:55)", nil
    ),
  ])
  func aSanitizersWordsAreItsOwn(file: String, text: String, thread: Int?) throws {
    let trial = try #require(ReportTrial.all.first { $0.file == file })
    let recording = try #require(ReportReading(path: trial.path).recordings.first)
    #expect(recording.crash.isEmpty ? recording.subject == text : recording.crash == text)
    #expect(recording.thread?.index == thread)
  }

  @Test(arguments: [
    ("alike-asan-double-free.txt", "bake"), ("alike-asan-wild-free.txt", "bake"),
    ("alike-asan-segv.txt", "fire"), ("alike-asan-swift.txt", "spoon(_:)"),
  ])
  func aSanitizersOwnFramesAreNobodysCulprit(file: String, culprit: String) throws {
    let trial = try #require(ReportTrial.all.first { $0.file == file })
    let findings = ReportReading(path: trial.path).entries.map(\.finding)
    #expect(findings.map(\.culprit?.function) == [culprit])
  }

  @Test func undefinedBehaviourHasTheStackThatIsPrinted() throws {
    let trial = try #require(ReportTrial.all.first { $0.file == "alike-ubsan-segv.txt" })
    let recordings = ReportReading(path: trial.path).recordings
    #expect(recordings.count == 2)
    #expect(recordings.map(\.crash).sorted() == ["", "UndefinedBehaviorSanitizer: SEGV (SIGSEGV)"])
    let text = ConsoleText(Scratch.bytes(of: trial.path)[...], start: 0, place: 0, goesOn: false)
    let report = try #require(Sanitizer.read(text)).report
    #expect(
      report.threads.first?.frames.map(\.symbol).prefix(2) == ["fire", "main"])
    #expect(
      report.threads.first?.frames.prefix(2).map(\.file) == [
        "/src/oven/oven.c", "/src/oven/oven.c",
      ])
    #expect(report.threads.first?.frames.prefix(2).map(\.line) == [11, nil])
  }

  /// A report's crumbs have no thread, and 0 would be the main one.
  @Test func crumbsOfReportsNameNoThread() throws {
    let trial = try #require(ReportTrial.all.first { $0.file == "sentry-background.json" })
    let nearby = ReportReading(path: trial.path).entries.flatMap(\.finding.nearby)
    #expect(!nearby.isEmpty)
    #expect(nearby.allSatisfy { $0.thread == IncidentThread.unknown })
  }

  @Test(arguments: [
    (
      "spindump-lock.txt",
      "The closure in Store.compact() held a lock that the main thread waited for in -[LMBoard weave] for 14 s",
      0
    ),
    (
      "anr-blocked.txt",
      "org.loom.Store.compact (Store.kt:90) held a lock that the main thread waited for in "
        + "org.loom.Store.rows (Store.kt:41)", 1
    ),
  ])
  func theOwnerOfTheLockIsNamedAndNotItsWaiter(file: String, title: String, thread: Int) throws {
    let trial = try #require(ReportTrial.all.first { $0.file == file })
    let finding = try #require(ReportReading(path: trial.path).entries.first?.finding)
    #expect(finding.title == title && finding.thread?.index == thread)
    #expect(finding.cause.contains { $0.text == "holds the lock" })
  }

  @Test(arguments: [
    ("qt-parent.txt", "QMetaObject::invokeMethod"), ("qt-pixmap.txt", "QMetaObject::invokeMethod"),
    ("gtk-critical-thread.txt", "g_idle_add"), ("gtk-rust-panic.txt", "glib::MainContext"),
    ("gtk-rust-panic-new.txt", "glib::MainContext"), ("mtc-plain.txt", "DispatchQueue.main"),
  ])
  func aFixIsInTheWordsOfTheToolkit(file: String, words: String) throws {
    let trial = try #require(ReportTrial.all.first { $0.file == file })
    let finding = ReportReading(path: trial.path).entries.map(\.finding).first {
      ReportTrial.accusations.contains($0.rule)
    }
    #expect(try #require(finding).fix.text.contains(words))
  }

  /// A deadlock of the main queue is told once as such, and names both.
  @Test(arguments: [
    ("sample-deadlock.txt", "Board.refresh()", "closure #1 in Store.commit()"),
    ("anr-three-locks.txt", "org.loom.Store.rows", "org.loom.Board.title"),
  ])
  func aDeadlockNamesWhoWaitsForWhom(file: String, main: String, worker: String) throws {
    let trial = try #require(ReportTrial.all.first { $0.file == file })
    let findings = ReportReading(path: trial.path).entries.map(\.finding)
    let deadlock = try #require(findings.first { $0.rule == "sync-deadlock" })
    #expect(deadlock.cause.compactMap(\.place?.function) == [main, worker])
  }

  @Test func theBenchmarkSearchesForTheTextsThatReportsAreFoundBy() throws {
    let path = Repository.root.path + "/Tests/Checks/"
    let literals = String(
      decoding: Scratch.bytes(of: path + "Benchmarks/console/literals.txt"), as: UTF8.self)
    #expect(literals.split(separator: "\n").map(String.init) == ConsoleNeedles.all)
  }

  /// More than are kept, and the last of them crashed.
  @Test(arguments: [
    #"{"event_id":"0a","exception":{"values":[{"type":"A","value":"b"}]},"threads":{"values":[T]}}"#,
    #"{"crash":{"error":{"type":"mach"},"threads":[T]}}"#,
    #"{"exceptions":[{"errorClass":"A"}],"threads":[T]}"#,
    #"{"procName":"A","exception":{"type":"E"},"threads":[T]}"#,
    #"{"kind":"crashReport","threads":[T]}"#,
  ])
  func aReportOfMoreThreadsThanAreKeptIsRead(_ report: String) {
    let thread = #"{"id":1,"index":1},"#
    let last =
      #"{"id":2,"index":2,"crashed":true,"errorReportingThread":true,"triggered":true,"frames":[]}"#
    let text = report.replacing("[T]", with: "[\(String(repeating: thread, count: 5000))\(last)]")
    let scratch = Scratch()
    let reading = ReportReading(path: scratch.write(Array(text.utf8)))
    #expect(reading.failure == nil && reading.recordings.count == 1)
  }

  @Test func aReportThatIsCutAnywhereIsReadWithoutACrash() throws {
    let scratch = Scratch()
    for name in ["ips-isolation-closure.ips", "crash-isolation.crash", "sentry-envelope.txt"] {
      let trial = try #require(ReportTrial.all.first { $0.file == name })
      let bytes = Scratch.bytes(of: trial.path)
      for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
        let reading = ReportReading(path: scratch.write(Array(bytes[..<length])))
        #expect(reading.accusations.isSubset(of: trial.rules))
      }
    }
  }
}
