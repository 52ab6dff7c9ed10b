import CrashAnalysis
import IncidentModel
import ReportTrials
import Testing

@testable import ReportReading

/// What findings say where a toolkit other than Apple's refused its thread, and in the worlds of Java, .NET and others.
@Suite struct OtherToolkitTests {
  private func first(_ file: String) throws -> Finding {
    let trial = try #require(ReportTrial.all.first { $0.file == file })
    return try #require(ReportReading(path: trial.path).entries.map(\.finding).first)
  }

  private func first(in text: String, named name: String = "a.txt") throws -> Finding {
    try #require(ReportReading(bytes: Array(text.utf8), name: name).entries.map(\.finding).first)
  }

  @Test(arguments: [
    (
      "unseen-swt.txt", "thread “Timer-0”, off the display's thread, and SWT refused the call",
      "asyncExec"
    ),
    (
      "unseen-javafx.md", "thread “Thread-12”, off the JavaFX application thread",
      "Platform.runLater"
    ),
    (
      "unseen-wpf.txt", "off the dispatcher's thread, and WPF refused the call",
      "Dispatcher.BeginInvoke"
    ),
    ("unseen-qt-loop.txt", "thread 9 “QThread”, off the GUI thread", "QT_FATAL_WARNINGS=1"),
    ("unseen-chromium.txt", "thread 4430, off the UI thread, and Chromium refused", "task trace"),
    ("unseen-gtk-fault.txt", "and the process died in GTK", "crashscan run --gtk"),
    ("unseen-unity.txt", "Unity refused the call", "SynchronizationContext.Post"),
  ])
  func aRefusalWithoutOwnCodeAccusesNobody(file: String, title: String, fix: String) throws {
    let finding = try first(file)
    #expect(finding.title.contains(title) && finding.title.hasSuffix("is not on this stack"))
    #expect(finding.culprit == nil)
    #expect(finding.fix.text.contains(fix))
    #expect(!finding.fix.text.contains("own stack"))
  }

  @Test func candidatesAreOwnThreadsAndTheLogAbove() throws {
    let android = try first("unseen-android.json").evidence
    #expect(android.contains { $0.place?.function == "it.borgo.menu.sync.MenuSync.loop" })
    let swt = try first("unseen-swt.txt").evidence.map(\.text)
    #expect(swt.contains { $0.hasPrefix("candidate: ") && $0.contains("rates updated") })
    let looper = try first("unseen-qt-loop.txt").evidence
    #expect(looper.contains { $0.place?.function == "Poller::run" })
  }

  @Test func ofALogThatNamesThreadsThoseOfTheSameCount() throws {
    let head = "05-02 10:11:12.345  7001  7044 E AndroidRuntime: "
    let finding = try first(
      in: """
        05-02 10:11:12.100  7001  7001 I Lantern : resumed
        05-02 10:11:12.200  7001  7044 I Lantern : glow(3)
        \(head)FATAL EXCEPTION: glow
        \(head)Process: no.lantern.app, PID: 7001
        \(head)android.view.ViewRootImpl$CalledFromWrongThreadException: Only the original thread that created a view hierarchy can touch its views.
        \(head)	at android.view.ViewRootImpl.checkThread(ViewRootImpl.java:9000)
        \(head)	at android.widget.TextView.setTextSize(TextView.java:6000)
        \(head)	at android.animation.ObjectAnimator.animateValue(ObjectAnimator.java:900)
        \(head)	at android.os.HandlerThread.run(HandlerThread.java:67)
        """)
    let candidates = finding.evidence.map(\.text).filter { $0.hasPrefix("candidate") }
    #expect(candidates == ["candidate: the code that ran after “Lantern: 10:11:12.200 glow(3)”"])
  }

  @Test(arguments: [
    ("handover-paho.txt", "org.eclipse.paho called dev.harrow.bus.Inbox.messageArrived"),
    (
      "handover-idea.txt",
      "and com.intellij.openapi.wm.impl.ToolWindowImpl.show expects the main thread"
    ),
    ("handover-flutter-plugin.txt", "on thread “pool-4-thread-1”, and io.flutter."),
    ("handover-mosquitto.txt", "on thread “tidewatch”: the call led to Panel::set_level"),
  ])
  func aHandoverNamesTheFrameworkAndTheThread(file: String, words: String) throws {
    #expect(try first(file).title.contains(words))
  }

  @Test func theFixSpeaksNoOtherWorldsLanguage() throws {
    let java = try first("handover-unknown-library.txt").fix.text
    #expect(!java.contains("runOnUiThread") && !java.contains("DispatchQueue"))
    #expect(try first("handover-gatt-helper.txt").fix.text.contains("runOnUiThread"))
  }

  @Test func theCauseOfAWrappedExceptionCounts() throws {
    let finding = try first(
      in: """
        Exception in thread "bus-3" java.lang.RuntimeException: listener failed
        	at io.nats.client.impl.NatsDispatcher.run(NatsDispatcher.java:113)
        	at java.base/java.lang.Thread.run(Thread.java:840)
        Caused by: java.lang.IllegalStateException: Dial must be used on the main thread
        	at org.vane.Dial.turn(Dial.java:30)
        	at org.vane.Wind.onMessage(Wind.java:12)
        	... 2 more
        """)
    #expect(finding.culprit?.function == "org.vane.Wind.onMessage")
    #expect(finding.title.contains("on thread “bus-3”"))
  }

  @Test func anExceptionIsReadWithItsStackAndNotWhereALogMentionsIt() throws {
    let line = "10:00:01 WARN Pool - java.lang.IllegalStateException: wrong thread: main expected\n"
    let stack =
      "\tat org.vane.Dial.checkThread(Dial.java:8)\n\tat org.vane.Wind.onMessage(Wind.java:12)\n"
    #expect(ReportReading(bytes: Array(line.utf8), name: "a.txt").entries.isEmpty)
    #expect(!ReportReading(bytes: Array((line + stack).utf8), name: "a.txt").entries.isEmpty)
  }

  @Test func aMessageMayEndInAQuotedName() throws {
    let finding = try first(
      in: """
        Exception in thread "feed-1" java.lang.IllegalStateException: Board.add must be called on the main thread, current = "feed-1"
        	at org.vane.Board.add(Board.java:30)
        	at org.vane.Wind.onMessage(Wind.java:12)
        	at java.base/java.lang.Thread.run(Thread.java:840)
        """)
    #expect(finding.rule == "crash-cause" && finding.title.contains("on thread “feed-1”"))
  }

  @Test(
    "A program's own shared libraries, and those that it builds in /build, are its own code",
    arguments: [
      ("0x00007ffff7f1a3a1", "/home/li/meterd/src"),
      ("0x000055555556f3a1", "/build/meterd-core/src"),
    ])
  func ownLibraries(address: String, folder: String) throws {
    let finding = try first(
      in: """
        meterd: \(folder)/Dial.cpp:40: void Dial::turn(int): Assertion `QThread::currentThread() == qApp->thread()' failed.
        Thread 12 "feed" received signal SIGABRT, Aborted.
        (gdb) bt
        #0  __pthread_kill_implementation (no_tid=0, signo=6) at ./nptl/pthread_kill.c:44
        #1  0x00007ffff76287f3 in __GI_abort () at ./stdlib/abort.c:79
        #2  0x00007ffff7639e96 in __GI___assert_fail () at ./assert/assert.c:101
        #3  \(address) in Dial::turn (this=0x5555555f0a20, v=3) at \(folder)/Dial.cpp:40
        #4  \(address) in Feed::on_message (this=0x5555555e1c40) at \(folder)/Feed.cpp:66
        #5  0x00007ffff7f5b1d7 in mosquitto_loop (mosq=0x55) at ../lib/loop.c:70
        #6  0x0000555555574d0e in main (argc=1, argv=0x7ffe) at /home/li/meterd/src/main.cpp:9
        """)
    #expect(finding.culprit?.function == "Feed::on_message", "\(finding)")
  }

  @Test func aCheckOfAnOwnersThreadIsNoneOfTheMainThread() throws {
    let finding = try first(
      in: """
        [6120:91044:0304/091253.123:FATAL:feed.cc(123)] Check failed: domain_thread_checker_.CalledOnValidThread()
        #0 0x55d0c0a12f99 base::debug::StackTrace::StackTrace()
        #1 0x55d0c0a0e1c3 logging::LogMessage::~LogMessage()
        #2 0x55d0c0b51d02 vane::Feed::OnData()
        #3 0x55d0c0a3f2b4 base::TaskAnnotator::RunTask()
        Received signal 6
        #0 0x55d0c0a13a12 base::debug::(anonymous namespace)::StackDumpSignalHandler()
        #1 0x55d0c0b51d02 vane::Feed::OnData()
        [end of stack trace]
        """)
    #expect(!finding.title.contains("main"), "\(finding.title)")
    #expect(!"\(finding.evidence)\(finding.cause)".contains("task trace"))
  }

  @Test func threadsThatAReportDoesNotNumberHaveNoNumbers() throws {
    let finding = try first("handover-peers.txt")
    #expect(!finding.cause.contains { $0.thread.contains(where: \.isNumber) })
  }

  @Test func aRoleIsNoTransition() throws {
    let text = """
      Incident Identifier: 1
      Process:             Orchid [7]
      OS Version:          iPhone OS 17.2
      Role:                Background
      Exception Type:  EXC_CRASH (SIGABRT)
      Triggered by Thread:  2

      Thread 2 Crashed:
      0   libsystem_kernel.dylib  0x0000000180000010 __pthread_kill + 8
      1   UIKitCore               0x0000000180000020 -[UIView layoutSubviews] + 180
      2   QuartzCore              0x0000000180000030 CA::Transaction::commit() + 20
      3   QuartzCore              0x0000000180000040 CA::Transaction::release_thread(void*) + 20
      4   libsystem_pthread.dylib 0x0000000180000050 _pthread_tsd_cleanup + 20
      """
    let reading = ReportReading(bytes: Array(text.utf8), name: "a")
    #expect(reading.recordings.first?.extent.events == 0)
    let said = reading.entries.flatMap {
      [$0.finding.title, $0.finding.fix.text] + $0.finding.evidence.map(\.text)
    }
    #expect(!said.contains { $0.contains("did enter background") })
    #expect(reading.accusations.contains("ui-after-background"))
  }

  @Test(arguments: [
    "checkThread", "android.view.ViewRootImpl.checkThread", "Avalonia.AvaloniaObject.VerifyAccess",
    "System.Windows.Threading.Dispatcher.<VerifyAccess>g__ThrowVerifyAccess|7_0",
    "assert_main_thread",
    "-[RLMRealm verifyThread]", "Depot.Legacy.OrderGrid.DemandUi", "org.vane.Edt.require",
    "org.vane.ThreadAsserts.onMain", "Tilth.MainThreadGuard.Ensure", "UiThreadingViolation",
  ])
  func aCheckOfTheThreadIsKnownByItsName(name: String) {
    #expect(ThreadCheckName.matches(name))
  }

  @Test(arguments: [
    "androidx.room.RoomDatabase.assertNotMainThread", "checkThreadPool", "ensureMainWindow",
    "java.lang.Thread.checkAccess", "ensureThreadStarted", "assertBackgroundThread", "Dial.turn",
  ])
  func anotherNameIsNoCheckOfTheMainThread(name: String) {
    #expect(!ThreadCheckName.matches(name))
  }
}
