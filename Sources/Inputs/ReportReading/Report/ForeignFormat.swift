/// The report formats that can be read, with their `--input` names.
package enum ForeignFormat: String, CaseIterable, Sendable {
  case mainThreadChecker = "main-thread-checker"
  case appleIPS = "apple-ips"
  case appleCrash = "apple-crash"
  case sentry = "sentry-json"
  case bugsnag = "bugsnag-json"
  case kscrash = "kscrash-json"
  case crashlytics = "crashlytics-clsrecord"
  case crashlyticsText = "crashlytics-text"
  case crashlyticsExport = "crashlytics-bigquery"
  case swiftBacktrace = "swift-backtrace"
  case swiftLinux = "swift-linux-old"
  case console
  case threadPerformanceChecker = "thread-performance-checker"
  case threadSanitizer = "thread-sanitizer"
  case addressSanitizer = "address-sanitizer"
  case debugger
  case systemdCoredump = "systemd-coredump"
  case androidLogcat = "android-logcat"
  case androidTraces = "android-traces"
  case androidTombstone = "android-tombstone"
  case javaTrace = "java-trace"
  case pythonTraceback = "python-traceback"
  case managedStack = "managed-stack"
  case metricKit = "metrickit"
  case sample = "apple-sample"
  case spindump = "apple-spindump"
  case leaks = "apple-leaks"
  case javaThreads = "java-threads"
  case goTraceback = "go-traceback"
  case pythonThreads = "python-threads"
  case dotNetThreads = "dotnet-threads"
  case tokioDump = "tokio-dump"
  case windowsEvent = "windows-event"
  case kernelLog = "kernel-log"
  case winDbg = "windbg"
}

/// The reason why a file could not be read as a report.
package struct ReportReadingError: Error, CustomStringConvertible {
  package let description: String
  /// True if the file is no report at all, false if it is a report that cannot be read.
  package var isOfSomethingElse = false
}
