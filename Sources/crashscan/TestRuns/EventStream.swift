import FoundationEssentials

/// A parser of Swift Testing's event stream: lines of JSON, in version 0 of the format or later.
struct EventStream {
  private struct Record: Decodable {
    struct Payload: Decodable {
      struct Place: Decodable {
        var filePath: String?
        var _filePath: String?
        var line: Int?

        var file: String? { filePath ?? _filePath }
      }
      struct Issue: Decodable {
        var isKnown: Bool?
        var isFailure: Bool?
        var sourceLocation: Place?
      }
      struct Instant: Decodable { var absolute: Double? }
      struct Message: Decodable { var text: String }
      var kind: String
      var id: String?
      var testID: String?
      var sourceLocation: Place?
      var issue: Issue?
      var instant: Instant?
      var messages: [Message]?
    }
    var kind: String
    var payload: Payload
  }

  private var names: [String: TestName] = [:]
  private var failed: Set<String> = []
  private let decoder = JSONDecoder()

  /// Parses one line. A line that is not an event becomes `.progressed`.
  ///
  /// - Returns: The event, with the time in seconds of the monotonic clock if the line has a time;
  ///   nil for the declaration of a suite.
  mutating func event(in line: ArraySlice<UInt8>) -> (TestEvent, time: Double?)? {
    guard let record = try? decoder.decode(Record.self, from: Data(line)) else {
      return (.progressed, nil)
    }
    let payload = record.payload
    let event = record.kind == "test" ? listed(payload) : event(payload)
    return event.map { ($0, payload.instant?.absolute) }
  }

  private mutating func listed(_ payload: Record.Payload) -> TestEvent? {
    guard let id = payload.id, payload.kind == "function" else { return nil }
    let place = payload.sourceLocation
    let name = TestName(
      .swiftTesting, id: id, file: place?.file, line: place?.line)
    names[id] = name
    return .listed(name)
  }

  private mutating func event(_ payload: Record.Payload) -> TestEvent? {
    let name = payload.testID.flatMap { names[$0] }
    switch payload.kind {
    case "testStarted": return name.map { .started($0) } ?? .progressed
    case "testEnded":
      guard let name else { return .progressed }
      return .ended(name, failed.contains(name.id) ? .failed : .passed)
    case "testSkipped": return name.map { .ended($0, .skipped) } ?? .progressed
    case "issueRecorded": return issue(payload, name)
    case "runEnded": return .runEnded
    default: return .progressed
    }
  }

  private mutating func issue(_ payload: Record.Payload, _ name: TestName?) -> TestEvent {
    let issue = payload.issue
    guard issue?.isKnown != true, issue?.isFailure != false else { return .progressed }
    let texts = (payload.messages ?? []).map(\.text)
    // The comment that follows is more specific than “Issue recorded”.
    let told = texts.count > 1 && texts[0] == "Issue recorded" ? texts.dropFirst() : texts[...]
    let message = told.joined(separator: "\n")
    let place = issue?.sourceLocation
    if let name { failed.insert(name.id) }
    // A suite can have an issue of its own, for example of a trait.
    let owner = name ?? payload.testID.map { TestName(.swiftTesting, id: $0) }
    return .failed(owner, TestIssue(message, file: place?.file, line: place?.line))
  }
}
