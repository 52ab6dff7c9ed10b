import Breadcrumbs
import CTrials
import Glibc

extension Trials {
  nonisolated(unsafe) private static var shared: BreadcrumbRecorder?

  /// Many short threads, each with one crumb of three kinds; says how the process grew meanwhile.
  static func churn(_ path: String, _ arguments: [String]) {
    shared = recorder(path, capacity: 4 << 20, automatic: [])
    let rounds = Int(arguments[0]) ?? 1
    let body: @convention(c) () -> Void = {
      Trials.shared?.record("short life", category: "churn")
      Trials.shared?.record("short life", level: .error, category: "churn")
      Trials.shared?.recordLifecycle(.didLaunch)
    }
    _ = ms_trial_threads(50, 20, body)  // what a thread's stack and the walk need is there now
    let before = residentKibibytes()
    let threads = ms_trial_threads(Int32(rounds), 20, body)
    print("threads \(threads), grown by \(residentKibibytes() - before)")
    shared?.close()
  }

  /// Records from places where a recorder is not expected to be called.
  static func odd(_ path: String, _ arguments: [String]) {
    let recorder = recorder(path, automatic: [])
    shared = recorder
    ms_trial_in_thread_destructor { Trials.shared?.record("thread or its destructor") }
    do { _ = Recording(recorder) }
    recorder.record(
      "outer, after \(recorder.recordAndName("inner"))", data: ["why": "a closure"])
    _ = ms_trial_threads(1, 64) {
      for _ in 0..<50 { Trials.shared?.record("one of 64", category: "crowd") }
    }
    recorder.close()
  }

  /// More threads at once than the log has chunks for.
  static func starve(_ path: String, _ arguments: [String]) {
    shared = recorder(path, capacity: 256 << 10, automatic: [])
    _ = ms_trial_threads(1, Int32(arguments[0]) ?? 1) { Trials.shared?.record("one of many") }
    shared?.close()
  }

  private static func residentKibibytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 128)
    let size = fread(&line, 1, 128, file)
    let fields = String(decoding: line[..<size], as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024 : 0
  }

  /// Loads libraries one after the other, unloads each, and leaves a crumb from inside each. Where there is another
  /// file with the ending `.new`, that takes its place before.
  static func modules(_ path: String, _ arguments: [String]) {
    shared = recorder(path, automatic: [])
    for library in arguments {
      guard let handle = dlopen(library, RTLD_NOW), let function = dlsym(handle, "call_back") else {
        print("error: \(String(cString: dlerror()))")
        exit(3)
      }
      print("function \(UInt(bitPattern: function))")
      rename("\(library).new", library)
      ms_trial_call(function) { Trials.shared?.record("in a library", stack: .always) }
      dlclose(handle)
    }
    shared?.close()
  }
}

/// Leaves a crumb when it goes.
private final class Recording {
  private let recorder: BreadcrumbRecorder
  init(_ recorder: BreadcrumbRecorder) { self.recorder = recorder }
  deinit { recorder.record("deinit") }
}

extension BreadcrumbRecorder {
  fileprivate func recordAndName(_ name: String) -> String {
    record("\(name)")
    return name
  }
}
