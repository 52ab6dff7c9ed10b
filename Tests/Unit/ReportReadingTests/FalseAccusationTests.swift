import IncidentModel
import ReportTrials
import Testing

@testable import ReportReading

/// Quotations, waits that prove nothing, and words of a log that are no threads.
@Suite struct FalseAccusationTests {
  private func rules(_ text: String) -> Set<String> {
    Set(ReportReading(bytes: Array(text.utf8), name: "a.log").entries.map(\.finding.rule))
  }

  private static let killed =
    "Out of memory: Killed process 4242 (tided) total-vm:9120100kB, anon-rss:7340032kB"
  private static let blocked = "INFO: task tidepool:2214 blocked for more than 120 seconds."
  private static let anr = "ActivityManager: ANR in org.loom (org.loom/.Board)"
  private static let closed =
    "The program Kasse.exe version 4.2.0.0 stopped interacting with Windows and was closed."

  @Test(arguments: [killed, blocked, anr, closed])
  func aSystemsOwnWordsAreReadAndAQuotationIsNot(said: String) {
    let logged = rules("May 02 10:11:12 quay kernel: \(said)")
    #expect(!rules(said).isEmpty && !logged.isEmpty)
    #expect(rules("The alert fires on lines such as \(said)") == [])
    #expect(rules("we looked for this line: \(said)") == [])
    #expect(rules("grep found `\(said)` nowhere") == [])
    #expect(rules("alert: \"\(said)\"") == [])
  }

  private func goroutines(_ state: String, _ function: String) -> String {
    """
    goroutine 1 [\(state), 14 minutes]:
    sync.\(function)(0xc00009c060)
    \t/usr/local/go/src/sync/sema.go:71 +0x25
    main.collect()
    \t/srv/app/collect.go:41 +0x11d

    goroutine 18 [chan receive]:
    main.feed()
    \t/srv/app/feed.go:12 +0x25
    """
  }

  @Test func aGoroutineIsHeldByALockOfADyingProcessOnly() {
    let locked = goroutines("semacquire", "(*Mutex).Lock")
    let group = goroutines("semacquire", "(*WaitGroup).Wait")
    #expect(rules("SIGQUIT: quit\nPC=0x46 m=0\n\n" + locked).contains("sync-deadlock"))
    #expect(!rules("SIGQUIT: quit\nPC=0x46 m=0\n\n" + group).contains("sync-deadlock"))
    #expect(!rules(locked).contains("sync-deadlock"))
  }

  @Test func goroutinesBeyondTheMaximumAreNotRead() {
    let most = CrashReport.mostThreads
    let dump = (1...most + 1).map { number in
      """
      goroutine \(number) [\(number > most ? "sync.Mutex.Lock, 5 minutes" : "running")]:
      main.feed()
      \t/srv/app/feed.go:12 +0x25

      """
    }
    #expect(
      rules("fatal error: unexpected signal\n\n" + dump.joined(separator: "\n")) == ["crash-cause"])
  }

  @Test(arguments: [
    ("ERROR [build-42] x", nil), ("ERROR (user_12) x", nil), ("WARN [domain-7] x", nil),
    ("ERROR [pool-2-thread-1] x", "pool-2-thread-1"), ("ERROR [main] x", "main"),
    ("ERROR (SyncWorker_3) x", "SyncWorker_3"),
  ])
  func onlyAThreadsNameIsAThread(line: String, name: String?) {
    #expect(LogThread.named(in: line)?.name == name)
  }

  @Test(arguments: [
    "11-20 08:00:00.123  4242  4260 E Tag: x", "2024-11-20 08:00:00.123 4242-4260/org.x E/Tag: x",
    "[ 11-20 08:00:00.123  4242: 4260 E/Tag ]",
    "2024-11-20 08:00:00.123  4242-4260  Tag  org.x  E  x",
  ])
  func logcatsPrefixNamesTheProcessAndTheThread(line: String) {
    let prefix = LogcatPrefix(line[...])
    #expect(prefix?.process == 4242 && prefix?.thread == 4260)
  }

  @Test(arguments: [
    "order 4242 4260 failed", "11-20 08:00:00 - 7 x", "11-20 08:00:00.123 E/Tag: x",
  ])
  func twoNumbersAreNoPrefix(line: String) {
    #expect(LogcatPrefix(line[...]) == nil)
  }

  private func tasks(_ wait: String) -> String {
    (0...1).map { number in
      """
      TASK \(number):
      ╼ tidegate::pool::refill::{{closure}} at /srv/tidegate/src/pool.rs:3\(number):5
        └╼ tokio::sync::\(wait)::{{closure}} at /root/.cargo/registry/src/x/tokio-1.36.0/src/sync/a.rs:436:33

      """
    }.joined()
  }

  @Test func tasksThatWaitForAnEventWaitForNoOther() {
    #expect(rules(tasks("mutex::Mutex<T>::lock")).contains("sync-deadlock"))
    #expect(rules(tasks("notify::Notified")) == [])
    #expect(rules(tasks("oneshot::Receiver<T>")) == [])
  }

  @Test func anEngineIsNotAccusedByAQuotation() {
    let crash = """
      LogWindows: Error: Unhandled Exception: EXCEPTION_ACCESS_VIOLATION reading address 0x18
      LogWindows: Error: [Callstack] 0x00007ffa0b1c2d3e Editor-Harbour.dll!ACrane::Swing() [D:\\Harbour\\Crane.cpp:88]
      """
    #expect(rules(crash) == ["crash-cause"])
    #expect(rules("the text that players see is " + crash) == [])
  }

  @Test func aReportBelowAHangOfWindowsIsRead() {
    let hang = "Event Name: AppHangB1\nP1: Kasse.exe\n"
    let death =
      "panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/quay/main.go:12 +0x25\n"
    #expect(rules(hang + "\n" + death).contains("crash-cause"))
  }
}
