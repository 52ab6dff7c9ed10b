import Breadcrumbs
import CTrials
import Glibc

extension Trials {
  /// Forks by `fork` or `clone`; the child tries to record, then opens a log of its own.
  static func fork(_ path: String, _ arguments: [String]) {
    let recorder = recorder(path)
    recorder.record("parent before")
    let child = arguments[0] == "clone" ? ms_trial_clone() : ms_trial_fork()
    if child == 0 { inChild(recorder, path) }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    print("child's status \(status)")
    recorder.record("parent after")
    print("parent records \(recorder.isRecording)")
  }

  private static func inChild(_ recorder: BreadcrumbRecorder, _ path: String) -> Never {
    recorder.record("child in the parent's log")
    recorder.recordLifecycle(.didLaunch)
    recorder.flush()
    print("child records \(recorder.isRecording)")
    do {
      let own = try BreadcrumbRecorder(path: path + ".child", capacity: 256 << 10)
      kept.append(own)
      own.record("child in its own log")
      print("child's own records \(own.isRecording)")
      recorder.close()
    } catch { print("error \(error)") }
    exit(7)
  }

  /// Leaves a child behind that outlives it, and says its id.
  static func lock(_ path: String, _ arguments: [String]) {
    let recorder = recorder(path)
    recorder.record("parent")
    let child = ms_trial_fork()
    if child == 0 {
      // The test must not wait for this one to close the pipes.
      for file in Int32(0)...2 { Glibc.close(file) }
      sleep(30)
      _exit(0)
    }
    print("child \(child)")
    kill(getpid(), SIGKILL)
  }

  /// Records on four threads while the test cuts the file short.
  static func truncate(_ path: String, _ arguments: [String]) {
    let recorder = recorder(path)
    for _ in 0..<3 {
      Threads.start {
        while recorder.isRecording {
          recorder.record("still there", data: ["more": "than nothing"])
        }
      }
    }
    print("recording")
    while recorder.isRecording { recorder.record("still there") }
    recorder.record("ignored")
    usleep(50_000)
    print("records \(recorder.isRecording), flushes \(recorder.flush())")
    recorder.close()
  }

  /// A fault in the host's own mapping, with a recorder or (`without`) not: `default`, `before`,
  /// `after`, and `survives`.
  static func bus(_ path: String, _ arguments: [String]) {
    let handler = arguments[1]
    if handler == "before" { ms_trial_handle_bus() }
    let recorder = arguments[0] == "with" ? recorder(path) : nil
    if handler == "after" { ms_trial_handle_bus() }
    if handler == "default" { ms_trial_bus_error() }
    for _ in 0..<2 { print("survived \(ms_trial_survive_bus_error())") }
    if let recorder { print("records \(recorder.isRecording)") }
  }
}

/// Threads of a trial.
enum Threads {
  private final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(Box(body)).toOpaque())
    pthread_detach(thread)
  }
}
