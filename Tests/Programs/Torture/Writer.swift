import Breadcrumbs
import Dispatch
import Glibc

/// The process that is killed: writers that record as fast as they can, and say over a pipe how far
/// they have come.
enum Writer {
  static let count = 4

  static func run(path: String, capacity: Int, acknowledgements: Int32, limit: UInt64) -> Never {
    let recorder: BreadcrumbRecorder
    do {
      recorder = try BreadcrumbRecorder(path: path, capacity: capacity, automatic: [])
    } catch {
      print("torture: \(error)")
      exit(3)
    }
    for writer in 0..<count {
      spawn { write(recorder, as: writer, to: acknowledgements, limit: limit) }
    }
    interrupt(recorder)
    while true { pause() }
  }

  private static func spawn(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
  }

  /// Sixteen bytes a message, which a pipe never splits: stream and writer, then the number.
  private static func write(
    _ recorder: BreadcrumbRecorder, as writer: Int, to pipe: Int32, limit: UInt64
  ) {
    var numbers: [UInt64] = [0, 0, 0]
    var turn: UInt64 = 0
    var untilReport = 1
    while turn < limit {
      turn += 1
      let stream = Stream.of(turn: turn)
      let index = Stream.allCases.firstIndex(of: stream)!
      numbers[index] += 1
      record(recorder, stream, writer: writer, number: numbers[index])
      untilReport -= 1
      guard untilReport == 0 else { continue }
      for (index, number) in numbers.enumerated() where number > 0 {
        report(UInt64(writer) << 8 | UInt64(index), number, to: pipe)
      }
      untilReport = Int(turn % 97) + 1
    }
    while true { pause() }
  }

  private static func report(_ who: UInt64, _ number: UInt64, to pipe: Int32) {
    var message = (who, number)
    withUnsafeBytes(of: &message) { bytes in
      _ = Glibc.write(pipe, bytes.baseAddress!, bytes.count)
    }
  }

  private static func record(
    _ recorder: BreadcrumbRecorder, _ stream: Stream, writer: Int, number: UInt64
  ) {
    let text = Payload.text(writer: writer, number: number)
    let data: KeyValuePairs<String, CrumbValue> = [
      "writer": .integer(writer), "number": .integer(number),
    ]
    switch stream {
    case .note: recorder.record(text, category: "note", data: data, stack: .never)
    case .error:
      recorder.record(text, level: .error, category: "error", data: data, stack: .never)
    case .lifecycle:
      recorder.recordLifecycle(
        .didLaunch, data: ["writer": .integer(writer), "number": .integer(number)], stack: .never)
    }
  }

  nonisolated(unsafe) private static var interrupted: BreadcrumbRecorder?

  /// A signal that records too, in the middle of whatever is being recorded.
  private static func interrupt(_ recorder: BreadcrumbRecorder) {
    interrupted = recorder
    signal(SIGALRM) { _ in
      Writer.interrupted?.record("tick", category: "tick", stack: StackCapture.never)
    }
    var every = itimerval(
      it_interval: timeval(tv_sec: 0, tv_usec: 300), it_value: timeval(tv_sec: 0, tv_usec: 300))
    var onlyWriters = sigset_t()
    sigemptyset(&onlyWriters)
    sigaddset(&onlyWriters, SIGALRM)
    pthread_sigmask(SIG_BLOCK, &onlyWriters, nil)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &every, nil)
  }
}

private final class Box {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
