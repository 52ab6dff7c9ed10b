import Testing

internal import CRecorder
internal import CTestProcess

/// The sender of the work that runs here, if known.
enum Sender: Sendable {
  /// A test that is checked, or that waits for a violation.
  case session(ViolationSession)
  /// A test that does neither.
  case unchecked(TestName)
  /// No known sender: a thread of a library, for example.
  case unknown

  /// The sender of the caller's work.
  static var here: Sender {
    if let session = ViolationSession.current { return .session(session) }
    if let test = Test.current { return .unchecked(TestName(test)) }
    let task = ms_task_id()
    if task != 0, let sender = TaskSenders.sender(of: task) { return sender }
    guard let carried = ms_carried_here() else { return .unknown }
    return Unmanaged<SentWork>.fromOpaque(carried).takeUnretainedValue().sender
  }

  var isKnown: Bool {
    if case .unknown = self { return false }
    return true
  }
}

/// A test, as a failure names it.
struct TestName: Sendable, Hashable, CustomStringConvertible {
  let description: String

  init(_ test: Test) {
    let place = test.sourceLocation
    description = "“\(test.name)” (\(place.fileID):\(place.line))"
  }

  init(case name: String) { description = "“\(name)”" }
}
