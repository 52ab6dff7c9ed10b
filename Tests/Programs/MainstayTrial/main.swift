import CProcessTesting
import Dispatch
import Glibc
import Mainstay

// A service that begins as the documents say, and then does what it is told:
// `mainstay-trial LOG WORD…`, the words in the order in which they are to happen. They may come in $MAINSTAY_TRIAL:
// without /proc, Swift's own `CommandLine.arguments` ends the program.

nonisolated(unsafe) var capacity = 1 << 20
nonisolated(unsafe) var crashes = CrashOptions()

/// Keeps nothing of what it starts.
func start(_ path: String) {
  let diagnostics = Mainstay.start(
    path: path, release: "1.4.2", environment: "trial", capacity: capacity,
    crashes: crashes)
  say(diagnostics)
  diagnostics.recorder.record("begun", category: "trial")
}

func say(_ diagnostics: Mainstay) {
  switch diagnostics.destination {
  case .file(let path): print("file \(path)")
  case .memory: print("memory")
  case .nowhere: print("nowhere")
  }
  print("problem \(diagnostics.problem.map { "\($0.code)" } ?? "none")")
  print("recording \(diagnostics.recorder.isRecording)")
  print("release \(diagnostics.release ?? "none") environment \(diagnostics.environment ?? "none")")
}

/// As many logs as a process may have.
nonisolated(unsafe) var others: [BreadcrumbRecorder] = []

func takeAllLogs(_ path: String) {
  while let other = try? BreadcrumbRecorder(
    path: "\(path).\(others.count)", capacity: 256 << 10, automatic: [])
  {
    others.append(other)
  }
}

/// Opened by the word `open=PATH`.
nonisolated(unsafe) var library: UnsafeMutableRawPointer?

actor Keeper {
  func check(keeper: Keeper) { keeper.expectIsolated("the trial's keeper") }
  /// The same from another line: one is recorded once.
  func checkFirst(keeper: Keeper) { keeper.expectIsolated("the trial's keeper") }
}

let told =
  getenv("MAINSTAY_TRIAL").map { String(cString: $0).split(separator: " ").map(String.init) }
  ?? Array(CommandLine.arguments.dropFirst())
let path = told[0]
for word in told.dropFirst() {
  switch word {
  case "refuse-mprotect": if ms_refuse_mprotect() != 0 { exit(4) }
  case "become-nobody": if setuid(65534) != 0 { exit(4) }
  case "take-all-logs": takeAllLogs(path)
  case "tiny": capacity = 100_000
  case "keep": crashes.keepsProgram = true
  case "start": start(path)
  case "start-elsewhere": start(path + ".elsewhere")
  case "wait":
    fflush(nil)
    _ = readLine()
  case "violate":
    let checked = DispatchSemaphore(value: 0)
    DispatchQueue(label: "trial.worker").sync {
      DispatchQueue(label: "trial.other").async {
        expectMainQueue("the trial's check")
        checked.signal()
      }
    }
    checked.wait()
  case "check-in-sync":
    DispatchQueue(label: "trial.worker").sync {
      requireMainQueue("the trial's check")
      print("passed")
    }
  case "begin-task":
    let recorder = Mainstay.start(path: path).recorder
    _ = recorder.beginBackgroundTask("upload", expiringAfter: .seconds(60))
  case "violate-in-child":
    let ended = DispatchSemaphore(value: 0)
    let keeper = Keeper()
    Task.detached {
      await keeper.checkFirst(keeper: Keeper())
      async let held: Void = keeper.check(keeper: Keeper())
      await held
      ended.signal()
    }
    ended.wait()
  case "hook":
    let hook = dlsym(nil, "swift_task_checkIsolated_hook")?.load(as: UInt.self)
    print("hook \(hook == 0 ? "free" : "taken")")
  case "is-untouched":
    let function = dlsym(library, "is_untouched")
    let isUntouched = unsafeBitCast(
      function, to: (@convention(c) (UnsafeMutableRawPointer?) -> CInt).self)
    print("untouched \(isUntouched(nil))")
  case "resume-twice":
    fflush(nil)
    Task.detached {
      await withCheckedContinuation { continuation in
        continuation.resume()
        continuation.resume()
      }
    }
    while true { pause() }
  case "policy": ViolationPolicy.default = [.log]
  case "isolation":
    fflush(nil)
    DispatchQueue(label: "trial.worker").async { MainActor.assumeIsolated {} }
    while true { pause() }
  case "crash":
    fflush(nil)
    UnsafeMutablePointer<Int>(bitPattern: 8)!.pointee = 1
  case "trap":
    fflush(nil)
    dispatchPrecondition(condition: .notOnQueue(.main))
  case "abort":
    fflush(nil)
    abort()
  case let word where word.hasPrefix("open="):
    library = dlopen(String(word.dropFirst(5)), RTLD_NOW)
    if library == nil { print(String(cString: dlerror())) }
  default: exit(64)
  }
}
