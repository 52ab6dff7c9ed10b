/// The process and thread of a checker's violation. Their line may precede the checker's header.
struct CheckerFacts {
  var process: Int?
  var thread: Int?
  var name = ""
  var queue: String?
  /// The first line that may contain a frame.
  var end: Int

  init(_ text: ConsoleText) {
    end = text.middle + 1
    let after = (text.middle + 1)..<min(text.middle + 5, text.lines.count)
    let before = max(0, text.middle - 2)..<text.middle
    let isFacts = { (place: Int) in
      text.lines[place].text.contains("PID: ") && text.lines[place].text.contains("TID: ")
    }
    let stop = after.first { FrameLine(text.lines[$0]) != nil } ?? after.upperBound
    if isFacts(text.middle) {
      take(text.lines[text.middle].text)
      return
    }
    let place = (after.lowerBound..<max(after.lowerBound, stop)).first(where: isFacts)
    guard let line = place ?? before.last(where: isFacts) else { return }
    if let place { end = place + 1 }
    take(text.lines[line].text)
  }

  private mutating func take(_ line: String) {
    let fields = Fields(line)
    process = fields["PID: "].flatMap { Int($0.prefix(while: \.isNumber)) }
    thread = fields["TID: "].flatMap { Int($0.prefix(while: \.isNumber)) }
    name = fields["Thread name: "].flatMap { $0 == "(none)" ? nil : $0 } ?? ""
    queue = fields["Queue name: "]
  }
}

/// The values of a line of the form `Key: value, Key: value`; a value may contain commas.
private struct Fields {
  private static let keys = ["PID: ", "TID: ", "Thread name: ", "Queue name: ", "QoS: "]
  private let text: String

  init(_ text: String) { self.text = text }

  subscript(key: String) -> String? {
    guard let start = text.range(of: key)?.upperBound else { return nil }
    let rest = text[start...]
    let ends = Self.keys.compactMap { rest.range(of: ", " + $0)?.lowerBound }
    let value = rest[..<(ends.min() ?? rest.endIndex)].trimmed
    return value.isEmpty ? nil : value
  }
}
