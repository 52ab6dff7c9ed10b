import CrashAnalysis
import IncidentModel
import ReportTrials
import Testing

@testable import ReportReading

/// Pools, event loops, locks and races, as reports of other tools tell of them.
@Suite struct StandstillTests {
  private func findings(_ file: String) throws -> [Finding] {
    let trial = try #require(ReportTrial.all.first { $0.file == file })
    return ReportReading(path: trial.path).entries.map(\.finding)
  }

  @Test(arguments: [
    (
      "pool-cooperative-lldb.txt",
      "All 4 threads of “com.apple.root.user-initiated-qos.cooperative” waited"
    ),
    (
      "pool-java-subtasks.txt",
      "All 4 threads of “report-pool” waited in org.tide.report.Section.render"
    ),
    ("pool-tokio-gdb.txt", "All 4 threads of “tokio-runtime-w” waited"),
    (
      "pool-kestrel.jsonl",
      "The thread pool had no free thread: its threads waited in Gezeiten.Pegel.Client.Hole"
    ),
    ("loop-vertx.txt", "held event loop “vert.x-eventloop-thread-1” for 4.8 s"),
    ("loop-asyncio.txt", "poll (feed.py:41) held event loop “asyncio” for 3.1 s"),
    ("loop-node.txt", "parseAll (csv.js:88) held the event loop for 2.1 s"),
    (
      "loop-strictmode-network.txt",
      "org.tide.board.net.Api.top (Api.kt:31) held the main thread for 812 ms"
    ),
    (
      "pool-kestrel-no-stack.txt",
      "The server's heartbeat reported that the thread pool had no free thread"
    ),
    (
      "go-race-test.txt",
      "Go's race detector reported a data race: tidegate.org/tide/session.(*Store).reap (store.go:77) and"
    ),
    (
      "go-race-service.txt",
      "Go's race detector reported a data race: main.(*Board).set (board.go:31) and"
    ),
    (
      "kernel-lockdep.txt",
      "The kernel's lock checker reported a possible lock-order inversion: tide_poll_work and tide_set_state"
    ),
    (
      "tsan-in-passed-test.txt",
      "Thread Sanitizer reported a Swift access race: Gauge.add(_:) (Gauge.swift:31) and"
    ),
    ("tsan-in-passed-gtest.txt", "Thread Sanitizer reported a data race: tide::Gauge::add(int)"),
    ("container-syslog-race.txt", "Go's race detector reported a data race"),
    (
      "gdb-owners-by-variable.txt",
      "Two threads waited for each other: table_walk (table.c:140), stats_count (stats.c:41)"
    ),
    ("gdb-owners-by-pointer.txt", "Two threads waited for each other"),
    ("windbg-locks.txt", "made the main thread wait while Bill::Lines"),
    (
      "windbg-one-lock.txt",
      "Printer::Print (C:\\src\\tide\\printer.cpp:164) held a lock that the main thread waited for"
    ),
    ("anr-lock-holder-other-type.txt", "org.tide.map.Tiles.render (Tiles.java:210) held a lock"),
    (
      "watchdog-scene-create.crash",
      "the main thread did not complete scene-create within 19.07 s in Gauge.load()"
    ),
    (
      "watchdog-process-exit.crash",
      "the main thread did not complete process-exit within 5.00 s in Gauge.load()"
    ),
    ("coredata-context.crash", "a check of the queue of its managed object context"),
  ])
  func theFaultIsToldByWhatHeldOrRaced(file: String, said: String) throws {
    let titles = try findings(file).map(\.title)
    #expect(titles.contains { $0.contains(said) }, "\(titles)")
  }

  /// The report names the thread on another line than the stack.
  @Test(arguments: [
    ("unreal-crash-thread.txt", "TideLoader"),
    ("java-edt-thread-above.txt", "ApplicationImpl pooled thread 7"),
    ("java-thread-in-log-line.txt", "OkHttp Dispatcher"),
    ("rust-thread-ids.txt", "notify-rs fsevents"),
  ])
  func aThreadThatAnotherLineNamesIsKnown(file: String, thread: String) throws {
    let finding = try #require(try findings(file).first)
    let words = [finding.title] + finding.evidence.map(\.text) + finding.cause.map(\.thread)
    #expect(words.contains { $0.contains("thread “\(thread)”") })
    #expect(!words.contains { $0.contains("does not name") })
  }

  /// A toolkit's check is not the program's to keep.
  @Test func onlyAnOwnCheckIsToBeKept() throws {
    let finding = try #require(try findings("python-tkinter-own-thread.txt").first)
    #expect(!finding.fix.text.contains("Keep the check"))
    #expect(
      finding.evidence.contains { $0.text.contains("“configure” was recorded off the main thread") }
    )
  }

  /// The check is right: the callback that led to it is to be changed, and no other place is named
  /// than the check expects.
  @Test(arguments: [
    (
      "handover-c-library.txt",
      "the call led to Session.handle(_:) (Session.swift:88), whose check expects another queue"
    ),
    ("handover-libusb-owner.txt", "whose check expects the thread that owns the object"),
    (
      "handover-token-store.crash",
      "the call led to TokenStore.save(_:) (TokenStore.swift:51), whose check expects another queue"
    ),
    ("handover-paho-owner.txt", "whose check expects the thread that owns the object"),
    (
      "rust-thread-ids.txt",
      "the call led to tide::model::Model::check (model.rs:31), whose check expects the main thread"
    ),
    ("node-add-on.txt", "Sensor::Emit(int) ran on"),
  ])
  func theCallbackIsNamedAndTheExpectedPlace(file: String, said: String) throws {
    let title = try #require(try findings(file).first?.title)
    #expect(title.contains(said), "\(title)")
  }
}
