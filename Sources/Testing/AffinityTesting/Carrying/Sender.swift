import Testing

internal import CRecorder
internal import CTestProcess

/// The test that sent a piece of work, if known.
enum Sender: Sendable {
  /// A checked test, or a test that expects a violation.
  case session(ViolationSession)
  /// A test that is not checked and expects no violation.
  case unchecked(TestName)
  /// No known sender, for example on a thread of a library.
  case unknown

  /// The sender of the work that the caller runs.
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

/// The name of a test in failure messages.
struct TestName: Sendable, Hashable, CustomStringConvertible {
  let description: String

  init(_ test: Test) {
    let place = test.sourceLocation
    description = "“\(test.name)” (\(place.fileID):\(place.line))"
  }

  init(case name: String) { description = "“\(name)”" }
}
