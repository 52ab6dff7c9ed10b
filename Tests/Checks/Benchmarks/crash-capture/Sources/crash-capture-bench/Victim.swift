import Breadcrumbs
import CrashCapture
import Glibc

/// What stands ready for the crash.
enum Readiness: String, CaseIterable {
  /// Nothing at all.
  case none
  /// Our handler, alone.
  case ours
  /// Our handler, and behind it one that says when it was handed the signal.
  case oursTimed
  /// Swift's own backtracer, as it is by default.
  case backtracer

  /// Variables that make it so.
  var environment: [String] { self == .backtracer ? [] : ["SWIFT_BACKTRACE=enable=no"] }
}

func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The instant, as eight bytes, for whoever started this process.
private func tellNow() {
  var now = monotonicNanoseconds()
  _ = write(3, &now, 8)
}

private func tellWhenHanded() {
  for signal in [SIGSEGV, SIGABRT] {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      tellNow()
      _ = Glibc.signal(signal, SIG_DFL)
    }
    sigaction(signal, &action, nil)
  }
}

private func startThreads(_ count: Int) {
  for _ in 0..<count {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 256 * 1024)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, &attributes,
      { _ in
        while true { pause() }
      }, nil)
    precondition(result == 0, "no more threads")
  }
  usleep(20_000 + UInt32(count) * 100)
}

/// Dies of a null pointer, with so many other threads.
func die(_ readiness: Readiness, threads: Int, log: String) throws {
  if readiness == .oursTimed { tellWhenHanded() }
  var recorder: BreadcrumbRecorder?
  if readiness == .ours || readiness == .oursTimed {
    let opened = try BreadcrumbRecorder(path: log, keepingLast: 0, automatic: [])
    CrashHandler.install(recordingTo: opened, options: CrashOptions(hangThreshold: nil))
    recorder = opened
  }
  startThreads(threads - 1)
  withExtendedLifetime(recorder) {
    tellNow()
    fault(UnsafePointer(bitPattern: UInt(CommandLine.argc))!)
  }
}

@inline(never) private func fault(_ pointer: UnsafePointer<UInt8>) { print(pointer.pointee) }
