/// The shapes of reports that are read, each with the first telling line of an example.
package struct ShapeTable {
  /// A shape: its name, an example among the fixtures, and the words by which its telling line is
  /// found.
  private typealias Shape = (name: String, file: String, words: String)

  private static let groups: [(title: String, shapes: [Shape])] = [
    (
      "Apple's systems",
      [
        ("Main Thread Checker", "mtc-plain.txt", "Main Thread Checker: "),
        ("Thread Performance Checker", "alike-performance-checker.txt", "Checker: "),
        ("crash report, JSON", "ips-309-pretty.ips", "\"bug_type\""),
        ("crash report, text", "crash-layout.crash", "Exception Type:"),
        ("kill by the watchdog", "watchdog-scene-create.crash", "8BADF00D"),
        ("kill with a locked file", "plain-killed-locked-file.crash", "DEAD10CC"),
        ("kill for memory", "plain-jetsam.ips", "per-process-limit"),
        ("Core Data off its queue", "coredata-context.crash", "__Multithreading_Violation"),
        ("uncaught exception in a log", "claim-drag-console.txt", "Terminating app"),
        ("isolation check in a log", "log-dispatch-assert.txt", "Block was expected"),
        ("data race in a log", "log-data-race.txt", "@MainActor function"),
        ("sample of a process", "sample-semaphore.txt", "Analysis of sampling"),
        ("spindump", "spindump-lock.txt", "Data Source:"),
        ("MetricKit", "metrickit-hang.json", "hangDiagnostics"),
        ("lldb", "lldb-isolation.txt", "stop reason = "),
        ("Xcode's paste", "xcode-main-actor.txt", "Queue : "),
      ]
    ),
    (
      "Swift elsewhere",
      [
        ("Swift's backtracer", "swift-backtrace-isolation.txt", "Program crashed"),
        ("older traces of Swift", "swift-linux-isolation.txt", "Current stack trace:"),
        ("wrong event loop of NIO", "nio-wrong-loop-syslog.txt", "wrong EventLoop"),
        ("overlapping accesses", "plain-exclusivity.txt", "Simultaneous accesses"),
        ("threads of a pool in lldb", "pool-cooperative-lldb.txt", "cooperative"),
      ]
    ),
    (
      "Crash services",
      [
        ("Sentry", "sentry-layout.json", "exception"),
        ("Bugsnag", "bugsnag-layout.json", "exceptions"),
        ("KSCrash", "kscrash-layout.json", "\"crash\""),
        ("Crashlytics, text", "crashlytics-text-exception.txt", "Fatal Exception"),
        ("Crashlytics, records", "crashlytics-layout.clsrecord", "{"),
        ("Crashlytics, BigQuery", "bigquery-layout.json", "exceptions"),
      ]
    ),
    (
      "Android and Java",
      [
        ("exception in Android's log", "logcat-fatal.txt", "FATAL EXCEPTION"),
        ("threads of an unresponsive app", "anr-blocked.txt", "held by thread"),
        ("line of an unresponsive app", "hang-anr-log.txt", "ANR in "),
        ("strict mode", "loop-strictmode-network.txt", "StrictMode policy violation"),
        ("network on the main thread", "plain-android-network-main.txt", "Caused by: "),
        ("death in native code", "plain-tombstone.txt", ", tid: "),
        ("exception of JavaFX", "javafx.txt", "Not on FX application thread"),
        ("assertion of IntelliJ", "java-edt-thread-above.txt", "Event Dispatch Thread"),
        ("deadlock of a JVM", "threads-java-deadlock.txt", "Java-level deadlock"),
        ("pool without a free thread", "pool-java-subtasks.txt", "\"report-pool-1\""),
        ("event loop of Vert.x", "loop-vertx.txt", "has been blocked for"),
      ]
    ),
    (
      ".NET, Windows and game engines",
      [
        ("exception of WPF", "wpf.txt", "VerifyAccess"),
        ("exception of Windows Forms", "winforms.txt", "Cross-thread operation"),
        ("unhandled exception", "plain-dotnet-event.txt", "Exception Info"),
        ("threads of a process", "threads-dotnet.txt", "Thread (0x"),
        ("starved pool", "pool-kestrel-no-stack.txt", "thread pool starvation"),
        ("locks in WinDbg", "windbg-locks.txt", "CritSec "),
        ("analysis in WinDbg", "plain-windbg-analyze.txt", "Exception Analysis"),
        ("window that does not respond", "hang-windows-event.txt", "stopped interacting"),
        ("Unity", "unity-log.txt", "main thread"),
        ("Godot", "godot-node.txt", "Caller thread"),
        ("Unreal", "unreal-crash-thread.txt", "Assertion failed"),
        ("Unreal, lost GPU", "plain-unreal-gpu.txt", "appError called"),
      ]
    ),
    (
      "Other languages and toolkits",
      [
        ("panic of Go", "plain-go-nil.txt", "panic: "),
        ("deadlock of Go", "threads-go-asleep.txt", "all goroutines are asleep"),
        ("race of Go", "go-race-test.txt", "DATA RACE"),
        ("panic of Rust", "plain-rust-short.txt", "panicked at"),
        ("tasks of tokio", "threads-tokio.txt", "╼ "),
        ("traceback of Python", "python-tk.txt", "Traceback"),
        ("threads of Python", "threads-python.txt", "most recent call first"),
        ("event loop of asyncio", "loop-asyncio.txt", "Executing <"),
        ("error of Node", "plain-node-uncaught.txt", "TypeError: "),
        ("error of Electron", "plain-node-electron.txt", "UnhandledPromiseRejection"),
        ("event loop of Node", "loop-node.txt", "loop blocked"),
        ("error of Flutter", "plain-flutter-widget.txt", "EXCEPTION CAUGHT"),
        ("warning of Qt", "qt-parent.txt", "different thread"),
        ("assertion of Qt", "plain-qt-assert.txt", "ASSERT: "),
        ("critical of GTK", "gtk-critical-thread.txt", "CRITICAL"),
        ("assertion of xcb", "xcb-bare.txt", "XInitThreads"),
        ("failed check of Chromium", "say-chromium.txt", "Check failed"),
      ]
    ),
    (
      "Linux and tools",
      [
        ("thread sanitizer", "tsan-layout.txt", "ThreadSanitizer"),
        ("address sanitizer", "alike-asan.txt", "AddressSanitizer"),
        ("owners of locks in gdb", "gdb-owners-by-variable.txt", "__owner"),
        ("core dump", "systemd-isolation.txt", "dumped core"),
        ("blocked task of the kernel", "hang-kernel-task.txt", "blocked for more than"),
        ("lock checker of the kernel", "kernel-lockdep.txt", "circular locking"),
        ("fault of the kernel", "plain-kernel-oops.txt", "BUG: "),
        ("kill for memory", "plain-kernel-oom.txt", "Killed process"),
      ]
    ),
  ]

  /// The shapes whose example is missing or lacks its words.
  package private(set) var missing: [String] = []
  package private(set) var count = 0
  private var body = ""

  package init(_ trials: [ReportTrial]) {
    let known = Dictionary(trials.map { ($0.file, $0) }, uniquingKeysWith: { first, _ in first })
    for group in Self.groups {
      body +=
        "\n## \(group.title)\n\n| shape | `--input` | its first telling line |\n|---|---|---|\n"
      for shape in group.shapes {
        guard let trial = known[shape.file], let line = Self.line(shape.words, of: trial) else {
          missing.append("\(shape.file): no “\(shape.words)”")
          continue
        }
        count += 1
        body += "| \(shape.name) | `\(trial.format)` | \(Self.code(line)) |\n"
      }
    }
  }

  private static func line(_ words: String, of trial: ReportTrial) -> Substring? {
    trial.text?.split(whereSeparator: \.isNewline).first { $0.contains(words) }.map { line in
      // JSON without line breaks: the part around the words.
      let start = line.range(of: words)?.lowerBound ?? line.startIndex
      let isLong = line.distance(from: line.startIndex, to: start) > 60
      return isLong ? line[start...] : line
    }
  }

  /// The line as inline code of a table, of at most 100 characters.
  private static func code(_ line: Substring) -> String {
    let bare = line.trimmingPrefix { $0.isWhitespace }
    let short = bare.count > 100 ? bare.prefix(99) + "…" : bare
    let text = short.replacing("|", with: "\\|").replacing("\t", with: " ")
      .replacing("\u{1b}", with: "")
    return text.contains("`") ? "`` \(text) ``" : "`\(text)`"
  }

  package var markdown: String {
    """
    # Shapes of reports

    `crashscan` reads these shapes of reports, also behind the prefixes of logs and containers and within JSON, mails and pages
    ([report-formats.md](../internals/report-formats.md)). Each line is the first of an example in `Tests/Fixtures/reports` that tells the shape.

    `make check-accuracy` writes this page; a test compares it.
    \(body)
    """
  }
}

extension Substring {
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
