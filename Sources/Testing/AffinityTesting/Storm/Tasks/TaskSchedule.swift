/// The turns at which a run of a task storm deviates from the default order. The description of a
/// schedule can be parsed to replay it.
///
///     turn 3: withdraw; turn 5: cancel deposit
///
/// In the default order, a task runs until it suspends; then the task that has been ready longest
/// runs.
public struct TaskSchedule: Sendable, Hashable {
  /// A deviation from the default order at a turn.
  enum Change: Sendable, Hashable {
    /// Resumes the task with this name.
    case goOn(String)
    /// Resumes another ready task, counted from the task after the default choice.
    case other(Int)
    /// Delays the task with this name until no other task is ready.
    case delay(String)
    /// Cancels the task with this name.
    case cancel(String)
  }

  /// A change and the number of its turn, from 1.
  struct Entry: Sendable, Hashable {
    let turn: Int
    let change: Change
  }

  var entries: [Entry]

  init(_ entries: [Entry] = []) {
    self.entries = entries.enumerated().sorted {
      ($0.element.turn, $0.offset) < ($1.element.turn, $1.offset)
    }.map(\.element)
  }

  /// The number of deviations from the default order.
  public var changes: Int { entries.count }

  func changes(at turn: Int) -> [Change] {
    entries.filter { $0.turn == turn }.map(\.change)
  }

  /// Parses the description of a schedule.
  public init(parsing text: String) throws(StormScheduleError) {
    var entries: [Entry] = []
    for part in text.split(separator: ";") {
      let part = TaskSchedule.trimmed(part)
      if part.isEmpty || part == TaskSchedule.plain { continue }
      entries.append(try Entry(parsing: part))
    }
    self.init(entries)
  }

  fileprivate static let plain = "in order"

  fileprivate static func trimmed(_ text: some StringProtocol) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

extension TaskSchedule: CustomStringConvertible {
  /// The text of the schedule, which can be parsed to replay it.
  public var description: String {
    entries.isEmpty ? Self.plain : entries.map(\.description).joined(separator: "; ")
  }
}

extension TaskSchedule.Entry: CustomStringConvertible {
  var description: String { "turn \(turn): \(change)" }

  fileprivate init(parsing text: String) throws(StormScheduleError) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix("turn "),
      let turn = Int(TaskSchedule.trimmed(parts[0].dropFirst(5))), turn > 0
    else {
      throw StormScheduleError(
        description: "“\(text)” is not a change of the order (expected “turn N: CHANGE”)")
    }
    let words = TaskSchedule.trimmed(parts[1])
    if words.hasPrefix("cancel ") {
      self.init(turn: turn, change: .cancel(String(words.dropFirst(7))))
    } else if words.hasPrefix("delay ") {
      self.init(turn: turn, change: .delay(String(words.dropFirst(6))))
    } else if words.hasPrefix("other "), let number = Int(words.dropFirst(6)), number >= 0 {
      self.init(turn: turn, change: .other(number))
    } else {
      self.init(turn: turn, change: .goOn(words))
    }
  }
}

extension TaskSchedule.Entry: Codable {
  init(from decoder: any Decoder) throws {
    try self.init(parsing: try decoder.singleValueContainer().decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension TaskSchedule.Change: CustomStringConvertible {
  var description: String {
    switch self {
    case .goOn(let task): task
    case .other(let number): "other \(number)"
    case .delay(let task): "delay \(task)"
    case .cancel(let task): "cancel \(task)"
    }
  }
}
