import Testing

@testable import ReportReading

/// A row of the corpus's own table: a report that somebody published, and what a person read in it.
struct CorpusRow: Sendable, CustomTestStringConvertible {
  let file: String
  let path: String
  let kind: String
  let showsOffMain: Bool
  let place: String
  let story: String

  var testDescription: String { file }

  init?(line: Substring, directory: String) {
    let cells = line.split(separator: "|").map { $0.trimmed }
    guard cells.count == 6, ["yes", "no", "n/a"].contains(cells[3]) else { return nil }
    file = cells[0]
    path = "\(directory)/\(cells[0])"
    kind = cells[1]
    showsOffMain = cells[3] == "yes"
    place = cells[4]
    story = cells[5]
  }

  /// The formats that a kind may be read as: one recorder's form is another's too.
  var formats: Set<String> {
    switch kind {
    case "apple-crash-text-in-ips": ["apple-crash"]
    case "sentry-json": ["sentry-json", "kscrash-json", "metrickit"]
    default: [kind]
    }
  }

  // MARK: Who

  private var parts: [String] { place.split(separator: " / ").map(String.init) }

  /// The crashed thread: its number, or its name where it has none.
  var thread: String? { isPlaceTold ? parts[0].split(separator: " ").first.map(String.init) : nil }

  /// What the queue's label begins with; nil where the row says nothing, empty where there is none.
  var queue: String? {
    guard isPlaceTold else { return nil }
    if parts.count > 1 { return ["none", "no queue"].contains(parts[1]) ? "" : parts[1] }
    let words = place.split(separator: " ").map(String.init)
    return words.count > 1 ? words[1] : place.first?.isNumber == true ? nil : place
  }

  /// Whether the row says that the report names no thread.
  var hasNoThread: Bool { place == "unknown" || place == "not stated" }

  private var isPlaceTold: Bool { !hasNoThread && place != "n/a" }

  // MARK: What

  /// What the words of a row mean in a report: one of these texts is in its exception.
  private static let exceptions: [(words: String, texts: [String])] = [
    ("SIGSEGV", ["SIGSEGV"]), ("SIGTERM", ["SIGTERM"]), ("abort()", ["SIGABRT"]),
    ("Heap corruption", ["SIGABRT"]), ("Unrecognized selector", ["unrecognized selector"]),
    ("freed object", ["EXC_BAD_ACCESS"]), ("Bad access", ["EXC_BAD_ACCESS"]),
    ("Null jump", ["EXC_BAD_ACCESS"]), ("Bad pointer", ["Bad pointer dereference (SIGSEGV)"]),
    ("Original crash on thread 0", ["EXC_BAD_ACCESS"]), ("EXC_BREAKPOINT", ["EXC_BREAKPOINT"]),
    ("Swift trap", ["EXC_BREAKPOINT (SIGTRAP)", "EXC_BAD_INSTRUCTION (SIGILL)"]),
    ("Swift assertion", ["EXC_BAD_INSTRUCTION (SIGILL)"]),
    ("isolation trap", ["EXC_BREAKPOINT", "Illegal instruction (SIGILL)"]),
    ("Invalid JSON type", ["NSInvalidArgumentException: Invalid type in JSON write"]),
    ("FileNotFoundException", ["FileNotFoundException"]), ("Handled NSError", ["NSError"]),
    ("User-reported exception", ["(SIGABRT)"]), ("User-reported JS error", ["Error: SentryClient"]),
    ("NSException from", ["(SIGABRT)"]), ("Fatal error", ["Fatal error"]),
    ("layout off main", ["Modifications to the layout engine must not be performed"]),
  ]

  /// Rows of reports that hold no exception.
  private static let withoutException = [
    "breadcrumb", "no exception", "Header only", "Log lines", "call-stack tree", "banner hidden",
    "one violation",
  ]

  /// The texts of which the exception must have one, none where there is no exception; nil where the
  /// words of the row are not known here.
  func exceptions(in rows: [CorpusRow]) -> [String]? {
    if let other = rows.first(where: { story == "Same crash as \($0.file)" }) {
      return other.exceptions(in: rows)
    }
    if let found = Self.exceptions.first(where: { story.contains($0.words) }) { return found.texts }
    return Self.withoutException.contains(where: story.contains) ? [] : nil
  }

  /// The rules that accuse somebody.
  var rules: Set<String> {
    guard showsOffMain else { return [] }
    let first = story.contains("isolation trap") ? "isolation-trap" : "off-main-ui"
    return story.contains("last crumb background") ? [first, "ui-after-background"] : [first]
  }

  var culprit: String? {
    guard let start = story.range(of: "culprit ")?.upperBound else { return nil }
    let named = story[start...].split(separator: ",")[0]
    return named.hasPrefix("the block of ")
      ? String(named.dropFirst("the block of ".count)) : String(named)
  }
}
