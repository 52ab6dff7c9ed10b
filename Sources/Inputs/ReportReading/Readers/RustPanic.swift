import IncidentModel

/// Reads Rust panics. A panic with which the GTK or GDK bindings reject a call off the main thread
/// is a violation.
enum RustPanic {
  static let needles = [" panicked at "]
  private static let refusals = [
    "GTK may only be used from the main thread", "GDK may only be used from the main thread",
  ]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let text = text.withoutPrefix(before: "thread '", in: text.middle)
    guard let head = Head(text) else { return nil }
    let (all, end) = stack(text, from: head.end)
    if let refusal = refusals.first(where: head.said.hasPrefix) {
      return (refused(refusal, head, all), end)
    }
    guard !PassedTests.expects(from: text.middle, to: end, in: text) else { return nil }
    let thread = CrashReport.unknownThread
    var report = CrashReport(.console)
    report.threads = [
      CrashReport.Thread(
        number: thread, name: head.thread, isMain: head.thread == "main" ? true : nil)
    ]
    report.failure = CrashReport.Failure(
      type: "panic", texts: [head.said].filter { !$0.isEmpty }, thread: thread,
      thrown: all.contains { $0.isOwn == true } ? all : head.place.map { [$0] } ?? all)
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }

  private static func refused(
    _ refusal: String, _ head: Head, _ all: [CrashReport.Frame]
  ) -> CrashReport {
    // The panic's own frames precede the function that rejected the call.
    let frames = Array(all.drop { !bindings.contains($0.image) })
    let own = frames.first { $0.isOwn == true }
    let thread = CrashReport.unknownThread
    var report = CrashReport(.console)
    report.ownImages = Set(own.map { [$0.image] } ?? [])
    // A thread that failed a check for the main thread is not the main one, even if it has that
    // name.
    report.threads = [
      CrashReport.Thread(number: thread, name: head.thread, isMain: false, frames: frames)
    ]
    report.failure = CrashReport.Failure(
      type: "panicked", texts: [String(head.said.prefix { $0 != "'" }).trimmed], thread: thread,
      thrown: frames)
    report.violations = [
      CrashReport.Violation(api: call(frames) ?? "gtk", thread: thread, frames: frames)
    ]
    return report
  }

  /// The headline: `thread 'worker' panicked at src/oven.rs:41:21:` with the message below it, or,
  /// before Rust 1.73, `thread 'worker' panicked at 'no heat', src/oven.rs:41:21`.
  private struct Head {
    var thread: String
    var said: String
    /// The position of the panic; nil inside libraries.
    var place: CrashReport.Frame?
    /// The line after the message.
    var end: Int

    init?(_ text: ConsoleText) {
      let line = text.lines[text.middle].text
      guard let start = line.range(of: "thread '"), let mark = line.range(of: needles[0]),
        start.upperBound < mark.lowerBound,
        let close = line[start.upperBound..<mark.lowerBound].lastIndex(of: "'"),
        line[..<start.lowerBound].trimmedOf("> \t|").isEmpty
      else { return nil }
      let name = line[start.upperBound..<close]
      thread = name == "<unnamed>" ? "" : String(name)
      let rest = line[mark.upperBound...].trimmed
      end = text.middle + 1
      if rest.hasPrefix("'") {
        let quote = rest.lastRange(of: "', ")
        said = String(rest[..<(quote?.lowerBound ?? rest.endIndex)].dropFirst()).trimmedOf("'")
        place = quote.flatMap { Self.place(rest[$0.upperBound...]) }
        return
      }
      // A headline ends with the position; a sentence about a panic continues after it.
      guard rest.hasSuffix(":"), !rest.contains(" ") else { return nil }
      place = Self.place(rest.dropLast()[...])
      var words: [String] = []
      while end < text.lines.count, words.count < 6 {
        let next = text.lines[end].text.trimmed
        if next.isEmpty && !words.isEmpty || next.hasPrefix("note: ") || next == "stack backtrace:"
        {
          break
        }
        if !next.isEmpty { words.append(next) }
        end += 1
        // A message has a second line only if a library wrapped it.
        if !next.hasPrefix("assertion ") && words.count == 1 && !Self.goesOn(text, end) { break }
      }
      said = words.joined(separator: " ")
    }

    private static func goesOn(_ text: ConsoleText, _ line: Int) -> Bool {
      line < text.lines.count && text.lines[line].text.hasPrefix("  ")
        && !text.lines[line].text.trimmed.hasPrefix("0:")
    }

    /// Parses `src/oven.rs:41:21`.
    private static func place(_ text: Substring) -> CrashReport.Frame? {
      guard let place = SourcePosition(text), !RustSource.isInstalled(place.file) else {
        return nil
      }
      return CrashReport.Frame(
        symbol: place.name, image: "rust", file: place.file, line: place.line, isOwn: true)
    }
  }

  /// Parses the frames: `   3: board::show`, with `             at ./src/board.rs:12:5` on the next
  /// line.
  private static func stack(
    _ text: ConsoleText, from start: Int
  ) -> (frames: [CrashReport.Frame], end: Int) {
    var frames: [CrashReport.Frame] = []
    var at = start
    // The short form omits frames, and their numbers.
    var last = -1
    if at < text.lines.count, text.lines[at].text.trimmed == "stack backtrace:" { at += 1 }
    while at < text.lines.count, frames.count < 1024 {
      let line = text.lines[at].text.trimmed
      if line.hasPrefix("at "), !frames.isEmpty {
        if let place = SourcePosition(line.dropFirst(3)) { frames[frames.count - 1].take(place) }
      } else {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]), number > last, parts[1].first == " "
        else { break }
        last = number
        let name = bare(parts[1].trimmed)
        frames.append(CrashReport.Frame(symbol: name, image: crate(of: name)))
      }
      at += 1
    }
    // If a stack has positions, a function without one is a dependency's.
    let hasPlaces = frames.contains { $0.file != nil }
    for place in frames.indices {
      frames[place].isOwn =
        !isForeign(frames[place]) && (frames[place].file != nil || !hasPlaces)
    }
    // Drop the functions of Rust that a failed check calls in order to panic.
    return (Array(frames.drop { isOfPanic($0.symbol) }), at)
  }

  private static func isOfPanic(_ function: String) -> Bool {
    [
      "rust_begin_unwind", "core::panicking::", "std::panicking::", "core::option::",
      "core::result::",
    ]
    .contains(where: function.hasPrefix)
  }

  /// The function name: `oven::heat` for `0x55d2c1a3 - oven::heat::h0a1b2c3d4e5f6071`.
  private static func bare(_ name: String) -> String {
    var name = name[...]
    if name.hasPrefix("0x"), let dash = name.range(of: " - ") { name = name[dash.upperBound...] }
    if let hash = name.lastRange(of: "::h"), name[hash.upperBound...].utf8.count == 16,
      name[hash.upperBound...].allSatisfy(\.isHexDigit)
    {
      name = name[..<hash.lowerBound]
    }
    return String(name)
  }

  /// The crate of a symbol: `gtk` for `gtk::auto::label::<impl gtk::Label>::new` and for
  /// `<gtk::Label as Foo>::bar`.
  private static func crate(of symbol: String) -> String {
    let name = symbol.drop { "<&".contains($0) }
    return String(name.prefix { $0 != ":" && $0 != " " && $0 != "<" })
  }

  private static let bindings: Set<String> = [
    "gtk", "gtk4", "gdk", "gdk4", "gdk_pixbuf", "glib", "gio", "cairo", "pango", "libadwaita",
  ]

  private static let foreign: Set<String> = [
    "rust_begin_unwind", "core", "std", "alloc", "tokio", "futures", "futures_util", "rayon",
    "rayon_core",
    "hyper", "axum", "tower", "actix_rt", "actix_web", "serde", "serde_json", "tracing",
    "crossbeam_utils",
    "start_thread", "clone", "clone3", "main", "test",
  ]

  private static func isForeign(_ frame: CrashReport.Frame) -> Bool {
    foreign.contains(frame.image) || bindings.contains(frame.image) || frame.image.hasPrefix("_")
      || frame.file.map(RustSource.isInstalled) ?? false
  }

  /// The binding's function that the program called.
  private static func call(_ frames: [CrashReport.Frame]) -> String? {
    guard let own = frames.firstIndex(where: { $0.isOwn == true }), own > 0 else { return nil }
    return frames[own - 1].symbol
  }
}

/// The origin of a Rust source by its path.
enum RustSource {
  /// True if the source belongs to a dependency or to Rust itself.
  static func isInstalled(_ file: String) -> Bool {
    ["/registry/src/", "/.cargo/", "/rustc/", "/library/std/", "/library/core/"].contains(
      where: file.contains) || file.hasPrefix("library/")
  }
}
