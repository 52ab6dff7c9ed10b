import IncidentModel

/// Reads the panic by which GTK's and GDK's bindings for Rust refuse a call off the main thread.
enum RustPanic {
  static let needles = [
    "GTK may only be used from the main thread", "GDK may only be used from the main thread",
  ]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let place = needles.compactMap({ line.range(of: $0) }).first,
      let name = thread(at: text.middle, in: text, before: place.lowerBound)
    else { return nil }
    let (all, end) = stack(text, from: text.middle + 1)
    // The panic's own frames come before the function that refused the call.
    let frames = Array(all.drop { !bindings.contains($0.image) })
    let own = frames.first { $0.isOwn == true }
    let thread = CrashReport.unknownThread
    var report = CrashReport(.console)
    report.ownImages = Set(own.map { [$0.image] } ?? [])
    // A thread that fails a check for main is not the main thread, whatever its name.
    report.threads = [
      CrashReport.Thread(number: thread, name: name, isMain: false, frames: frames)
    ]
    report.failure = CrashReport.Failure(
      type: "panicked", texts: [String(line[place.lowerBound...].prefix { $0 != "'" }).trimmed],
      thread: thread, thrown: frames)
    report.violations = [
      CrashReport.Violation(api: call(frames) ?? "gtk", thread: thread, frames: frames)
    ]
    return (report, end)
  }

  /// The name of the thread in `thread 'worker' panicked at 'GTK may …`, or one line above as of Rust 1.73; nil if
  /// no panic says it.
  private static func thread(at line: Int, in text: ConsoleText, before place: String.Index)
    -> String?
  {
    let said = text.lines[line].text
    let isOnOneLine = said[..<place].hasSuffix(" panicked at '")
    guard isOnOneLine || said[..<place].trimmed.isEmpty && line > 0 else { return nil }
    let above = text.lines[..<line].suffix(2).last { !$0.text.trimmed.isEmpty }
    let head = isOnOneLine ? said[..<place] : (above?.text ?? "")[...]
    guard head.contains(" panicked at "), let start = head.range(of: "thread '")?.upperBound,
      !head[..<start].contains("\""), let end = head[start...].firstIndex(of: "'")
    else { return nil }
    let name = head[start..<end]
    return name == "<unnamed>" ? "" : String(name)
  }

  /// `   3: board::show` and, below it, `             at ./src/board.rs:12:5`.
  private static func stack(
    _ text: ConsoleText, from start: Int
  ) -> (frames: [CrashReport.Frame], end: Int) {
    var frames: [CrashReport.Frame] = []
    var at = start
    if at < text.lines.count, text.lines[at].text.trimmed == "stack backtrace:" { at += 1 }
    while at < text.lines.count, frames.count < 1024 {
      let line = text.lines[at].text.trimmed
      if line.hasPrefix("at "), !frames.isEmpty {
        let parts = line.dropFirst(3).split(separator: ":")
        frames[frames.count - 1].file = parts.first.map(String.init)
        frames[frames.count - 1].line = parts.count > 1 ? Int(parts[1]) : nil
      } else {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, Int(parts[0]) == frames.count, parts[1].first == " " else { break }
        let name = parts[1].trimmed
        frames.append(CrashReport.Frame(symbol: name, image: crate(of: name)))
      }
      at += 1
    }
    for place in frames.indices { frames[place].isOwn = !isForeign(frames[place]) }
    return (frames, at)
  }

  /// `gtk` of `gtk::auto::label::<impl gtk::Label>::new` and of `<gtk::Label as Foo>::bar`.
  private static func crate(of symbol: String) -> String {
    let name = symbol.drop { "<&".contains($0) }
    return String(name.prefix { $0 != ":" && $0 != " " && $0 != "<" })
  }

  private static let bindings: Set<String> = [
    "gtk", "gtk4", "gdk", "gdk4", "gdk_pixbuf", "glib", "gio", "cairo", "pango", "libadwaita",
  ]

  private static let foreign: Set<String> = ["rust_begin_unwind", "core", "std", "alloc"]

  private static func isForeign(_ frame: CrashReport.Frame) -> Bool {
    foreign.contains(frame.image) || bindings.contains(frame.image) || frame.image.hasPrefix("_")
      || frame.file?.contains("/registry/src/") == true || frame.file?.hasPrefix("/rustc/") == true
  }

  /// The function of the binding that the program called.
  private static func call(_ frames: [CrashReport.Frame]) -> String? {
    guard let own = frames.firstIndex(where: { $0.isOwn == true }), own > 0 else { return nil }
    return frames[own - 1].symbol
  }
}
