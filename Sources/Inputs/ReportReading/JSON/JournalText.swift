/// The message of a JSON log entry: an entry of systemd's journal, a container's log, or a
/// service's own log.
enum JournalText {
  private static let keys = ["MESSAGE", "log", "message", "msg", "textPayload", "line", "@m"]

  /// The entry's text; nil if the document has none.
  static func bytes(ofEntry json: JSON) -> [UInt8]? {
    guard json.isObject else { return nil }
    if let text = withStack(json) { return Array(text.utf8) }
    for key in keys {
      if let text = json[key], text.string != nil || text.isArray { return bytes(of: text) }
    }
    return nil
  }

  private static let stacks = [
    "stack", "stacktrace", "stack_trace", "stackTrace", "exc", "exc_info", "exc_text", "trace",
    "@x",
  ]

  /// The message of an entry that has a stack in a field of its own, with the thread that the entry names; nil for
  /// other entries, and for an error that the program handled.
  static func withStack(_ json: JSON) -> String? {
    guard json["handled"]?.boolean != true,
      let message = json.first("message", "msg", "title", "event", "@m")?.string
    else { return nil }
    for key in stacks {
      guard let field = json[key] else { continue }
      let lines = field.array.compactMap(\.string)
      let stack =
        lines.count > 1
        ? lines.map { $0.contains("at ") ? $0 : "\tat \($0)" }.joined(separator: "\n")
        : field.string ?? ""
      guard stack.contains("\n") else { continue }
      let thread = json.first("thread", "thread_name", "threadName")?.string
      let head = thread.map { "ERROR [\($0)] \(message)" } ?? message
      return "\(head)\n\(stack)"
    }
    return nil
  }

  /// The bytes of a field: the journal writes binary data as an array of numbers.
  static func bytes(of json: JSON?) -> [UInt8] {
    guard let json else { return [] }
    if let text = json.string { return Array(text.utf8) }
    return json.array.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
  }
}

/// The text found in JSON documents that are no reports.
struct LoggedText {
  private static let newline = UInt8(ascii: "\n")
  /// Limits on size and nesting: database answers and test results can be large and deep.
  private static let most = 64 << 20
  private static let depth = 32

  /// The number of documents that are log entries.
  private(set) var count = 0
  /// The messages of the log entries, one per line.
  private(set) var entries: [UInt8] = []
  /// The string values, at any depth, of the documents that are not log entries.
  private(set) var others: [UInt8] = []

  init() {}

  init(_ documents: JSONDocuments) {
    for case .json(let json, _) in documents.pieces {
      if let text = JournalText.bytes(ofEntry: json) {
        count += 1
        Self.add(text, to: &entries)
      } else {
        gather(json, Self.depth)
      }
    }
  }

  private mutating func gather(_ json: JSON, _ depth: Int) {
    guard depth > 0, others.count < Self.most else { return }
    if json.isObject, let entry = JournalText.withStack(json) {
      return Self.add(Array(entry.utf8), to: &others)
    }
    if let text = json.string {
      gather(text, depth)
    } else if let lines = Self.lines(ofStream: json) {
      for line in lines { gather(line, depth - 1) }
    } else {
      for (key, member) in json.members where !Self.patterns.contains(key.lowercased()) {
        gather(member, depth - 1)
      }
    }
  }

  /// Appends a text, or the texts inside it if the text is itself a JSON document.
  private mutating func gather(_ text: String, _ depth: Int) {
    let isDocument = text.utf8.count < Self.most && "{[".contains(text.trimmed.first ?? " ")
    let bytes = Array(text.utf8)
    let reports = isDocument ? try? JSONReports(bytes, name: "", format: nil).all() : nil
    if isDocument, reports?.isEmpty != false, let json = JSON(bytes), json.isObject || json.isArray
    {
      if let entry = JournalText.bytes(ofEntry: json) {
        gather(String(decoding: entry, as: UTF8.self), depth - 1)
      } else {
        gather(json, depth - 1)
      }
    } else {
      Self.add(bytes, to: &others)
    }
  }

  /// The lines of a stream from a log store such as Loki, sorted oldest first:
  /// `[["1714550400000000000", "line"], …]`; nil for any other list.
  private static func lines(ofStream json: JSON) -> [String]? {
    guard json.isArray else { return nil }
    var entries: [(time: UInt64, line: String)] = []
    for pair in json.array {
      let parts = pair.array
      guard parts.count >= 2, let time = parts[0].string.flatMap({ UInt64($0) }), time > 1 << 50,
        let line = parts[1].string
      else { return nil }
      entries.append((time, line))
    }
    guard !entries.isEmpty else { return nil }
    let isLatestFirst = entries[0].time > entries[entries.count - 1].time
    return (isLatestFirst ? entries.reversed() : entries).map(\.line)
  }

  /// Keys whose values are search patterns and not logged text.
  private static let patterns: Set<String> = [
    "pattern", "patterns", "regex", "regexp", "regexes", "needle", "needles", "match", "matches",
    "signature",
    "signatures", "contains", "query", "keywords", "matcher", "matchers", "expression", "filter",
    "filters",
  ]

  private static func add(_ text: [UInt8], to lines: inout [UInt8]) {
    lines += text
    if lines.last != newline { lines.append(newline) }
  }
}
