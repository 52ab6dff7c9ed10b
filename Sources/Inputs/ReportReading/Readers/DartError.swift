import IncidentModel

/// Reads the errors of Dart and Flutter: unhandled exceptions, and those that Flutter caught in the
/// program's code.
enum DartError {
  static let needles = ["EXCEPTION CAUGHT BY ", "Unhandled exception:"]
  /// The beginnings of such messages. Exceptions of .NET share one of them.
  private static let marks = needles + ["Unhandled Exception: "]
  private static let reach = 60

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = line.range(ofAny: marks),
      !Messages.isLiteral(line), !Messages.isQuoted(at: mark.lowerBound, in: line)
    else { return nil }
    let isCaught = line[mark] == needles[0]
    var words: [String] = isCaught ? [] : [line[mark.upperBound...].trimmed].filter { !$0.isEmpty }
    var frames: [CrashReport.Frame] = []
    var end = text.middle + 1
    for place in end..<min(text.lines.count, end + reach) {
      text.search.lines += 1
      let said = text.lines[place].text
      if let frame = frame(said) {
        frames.append(frame)
      } else if !frames.isEmpty {
        break
      } else if words.count < 3, !said.trimmed.isEmpty {
        words.append(said.trimmed)
        continue
      } else {
        continue
      }
      end = place + 1
    }
    guard !frames.isEmpty, !words.isEmpty,
      !PassedTests.expects(from: text.middle, to: end, in: text)
    else { return nil }
    markOwn(&frames)
    var failure = CrashReport.Failure(thread: CrashReport.unknownThread, thrown: frames)
    (failure.type, failure.texts) = said(words, isCaught: isCaught)
    failure.endsProcess = false
    var report = CrashReport(.console)
    report.threads = [CrashReport.Thread(number: CrashReport.unknownThread)]
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }

  /// The type and the message: of `The following _TypeError was thrown building Tile(dirty):` and
  /// the line below, or of `type 'Null' is not a subtype of type 'String'`.
  private static func said(_ words: [String], isCaught: Bool) -> (String, [String]) {
    if isCaught, let start = words[0].range(of: "The following ")?.upperBound {
      let type = words[0][start...].prefix { $0 != " " }
      return (String(type), Array(words.dropFirst().prefix(1)))
    }
    let type = words[0].prefix { $0 != ":" && $0 != " " }
    guard type.hasSuffix("Exception") || type.hasSuffix("Error"), type.count < words[0].count else {
      return ("Unhandled exception", [words[0]])
    }
    return (String(type), [words[0].dropFirst(type.count).trimmedOf(": ")].filter { !$0.isEmpty })
  }

  /// Parses `#0      EntryTile.build (package:diary/tile.dart:33:28)`.
  private static func frame(_ line: String) -> CrashReport.Frame? {
    guard let sign = line.range(of: "#"), let open = line.lastRange(of: " ("),
      line.hasSuffix(")")
        || line.hasSuffix(")\u{1b}[0m")
    else { return nil }
    let rest = line[sign.upperBound...]
    let digits = rest.prefix(while: \.isNumber)
    guard !digits.isEmpty, rest.dropFirst(digits.count).first == " ",
      rest.index(rest.startIndex, offsetBy: digits.count) < open.lowerBound
    else { return nil }
    let source = line[open.upperBound...].prefix { $0 != ")" }
    guard ["package:", "dart:", "file:"].contains(where: source.hasPrefix) else { return nil }
    var frame = CrashReport.Frame(
      symbol: rest[rest.index(rest.startIndex, offsetBy: digits.count)..<open.lowerBound].trimmed)
    let place = SourcePosition(source)
    frame.file = place?.file ?? String(source)
    frame.line = place?.line
    frame.image = String(source.prefix { $0 != "/" })
    return frame
  }

  /// Marks the frames of the program's package: the first that is no library.
  private static func markOwn(_ frames: inout [CrashReport.Frame]) {
    let own = frames.first { frame in
      frame.image == "file:"
        || frame.image.hasPrefix("package:")
          && !libraries.contains(String(frame.image.dropFirst(8)))
    }?.image
    for place in frames.indices { frames[place].isOwn = frames[place].image == own }
  }

  private static let libraries: Set<String> = [
    "flutter", "flutter_test", "flutter_bloc", "bloc", "provider", "riverpod", "flutter_riverpod",
    "hooks_riverpod", "get", "get_it", "dio", "http", "rxdart", "async", "collection", "go_router",
    "auto_route", "hive", "hive_flutter", "sqflite", "shared_preferences", "sentry",
    "sentry_flutter",
    "firebase_core", "firebase_crashlytics", "cloud_firestore", "cached_network_image",
    "stack_trace", "mobx", "flutter_mobx", "redux", "json_annotation", "path_provider",
  ]
}
