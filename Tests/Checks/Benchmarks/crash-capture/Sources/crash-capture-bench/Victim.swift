import Breadcrumbs
import CrashCapture
import Glibc
import Synchronization

/// What stands ready for the crash.
enum Readiness: String, CaseIterable {
  /// Nothing at all.
  case none
  /// Our handler, alone.
  case ours
  /// Our handler, which looks for no waiting tasks.
  case oursWithoutTasks
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

/// What a process holds when it dies.
struct Load {
  var threads = 4
  var tasks = 0
  var megabytes = 0
}

private let waiting = Atomic(0)

private func startTasks(_ count: Int) {
  for _ in 0..<count {
    Task.detached {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
        _ = waiting.add(1, ordering: .relaxed)
      }
    }
  }
  while waiting.load(ordering: .relaxed) < count { usleep(1000) }
}

nonisolated(unsafe) private var filled: UnsafeMutableRawPointer?

private func fill(megabytes: Int) {
  filled = malloc(megabytes << 20)
  if let filled { memset(filled, 1, megabytes << 20) }
}

/// Dies of a null pointer, with this load.
func die(_ readiness: Readiness, _ load: Load, log: String) throws {
  if readiness == .oursTimed { tellWhenHanded() }
  var recorder: BreadcrumbRecorder?
  if [.ours, .oursTimed, .oursWithoutTasks].contains(readiness) {
    let opened = try BreadcrumbRecorder(path: log, keepingLast: 0, automatic: [])
    var options = CrashOptions(hangThreshold: nil)
    if readiness == .oursWithoutTasks { options.waitingTasksTimeLimit = .zero }
    CrashHandler.install(recordingTo: opened, options: options)
    recorder = opened
  }
  fill(megabytes: load.megabytes)
  startTasks(load.tasks)
  startThreads(load.threads - 1)
  withExtendedLifetime(recorder) {
    tellNow()
    fault(UnsafePointer(bitPattern: UInt(CommandLine.argc))!)
  }
}

@inline(never) private func fault(_ pointer: UnsafePointer<UInt8>) { print(pointer.pointee) }
