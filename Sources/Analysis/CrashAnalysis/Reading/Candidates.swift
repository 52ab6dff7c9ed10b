import IncidentModel

/// Lists possible causes of a fault whose cause is no longer on the stack.
enum Candidates {
  /// Returns the program's own code on threads other than the main one, and the last crumbs.
  ///
  /// - Parameter crumbs: The crumbs before the fault.
  static func evidence(
    _ crash: CrashReading, _ crumbs: [Finding.Nearby], in run: RunState
  ) -> [Finding.Evidence] {
    let threads = crash.crash.otherThreads.filter { $0.onMain != .yes }
      .compactMap { evidence($0, crash, run) }
    // Named code is better evidence than code without symbols.
    let named = threads.filter { $0.place != nil } + threads.filter { $0.place == nil }
    // Some lists of threads contain only names.
    let listed = crash.crash.otherThreads.filter { thread in
      thread.onMain != .yes && thread.stack.frames.isEmpty && !thread.name.isEmpty
        && thread.name != crash.crash.thread?.name
    }.map { thread in
      Finding.Evidence(
        "candidate: \(thread.ordinal.map { run.thread($0) } ?? thread.name), whose stack was not recorded"
      )
    }
    let told = crumbs.filter { crumb in
      (crumb.offset ?? -1) != 0
        && !["lifecycle:", "violation:", "hang:"].contains(where: crumb.text.hasPrefix)
    }
    // Crumbs of the same thread are better evidence than other threads' stacks.
    let names = [crash.crash.thread?.name, crash.queue].compactMap(\.self).filter(isTelling)
    let same = told.filter { crumb in
      crumb.thread != IncidentThread.unknown && crumb.thread == crash.crash.thread?.ordinal
        || names.contains { mentions(crumb.text, $0) }
    }
    guard same.isEmpty else { return ranked(same, crash).map(evidence) }
    let others = told.filter { $0.thread == IncidentThread.unknown && !isOfMain($0.text) }
    return Array((named.isEmpty ? listed : named).prefix(3)) + ranked(others, crash).map(evidence)
  }

  /// Returns the last crumbs, latest first; crumbs about views, or with a word of the failure,
  /// precede others.
  private static func ranked(_ crumbs: [Finding.Nearby], _ crash: CrashReading) -> [Finding.Nearby]
  {
    let words = DisplayText.parts(of: crash.crash.text).union(views)
    let latest = crumbs.suffix(5).reversed().enumerated().map { place, crumb in
      (
        crumb: crumb, place: place,
        shared: DisplayText.parts(of: crumb.text).intersection(words).count
      )
    }
    return latest.sorted { ($1.shared, $0.place) < ($0.shared, $1.place) }.prefix(3).map(\.crumb)
  }

  /// True if a name is specific enough that no unrelated text contains it.
  private static func isTelling(_ name: String) -> Bool {
    name.utf8.count >= 6 && name.contains { !$0.isLetter } && name != "com.apple.main-thread"
  }

  /// True if a text contains `name` as a whole word: `worker-9`, not `worker-91`.
  private static func mentions(_ text: String, _ name: String) -> Bool {
    guard let place = text.firstRange(of: name) else { return false }
    let isPart = { (sign: Character?) in
      sign.map { $0.isLetter || $0.isNumber || $0 == "." } ?? false
    }
    return !isPart(text[place.upperBound...].first) && !isPart(text[..<place.lowerBound].last)
  }

  /// True if a log line says that the UI thread wrote it.
  private static func isOfMain(_ text: String) -> Bool {
    ["[ui:", "[ui]", "[UI", "[main", "(main)", "(AWT-EventQueue", "[AWT-EventQueue", "[JavaFX App"]
      .contains(where: text.contains)
  }

  /// Words for parts of a user interface.
  private static let views: Set<String> = [
    "view", "views", "window", "editor", "grid", "panel", "pane", "label", "button", "dialog",
    "layer",
    "layout", "cell", "table", "menu", "preview", "sheet", "controller", "chart", "screen",
    "widget",
    "toolbar", "popup", "viewcontroller", "tooltip", "banner", "form", "snapshot", "thumbnail",
  ]

  private static func evidence(of crumb: Finding.Nearby) -> Finding.Evidence {
    let when = crumb.offset.map { ", \(TimeSpan.text(nanoseconds: $0.magnitude)) earlier" } ?? ""
    return Finding.Evidence("candidate: the code that ran after “\(crumb.text)”\(when)")
  }

  private static func evidence(
    _ thread: CrashThread, _ crash: CrashReading, _ run: RunState
  ) -> Finding.Evidence? {
    let reading = run.read(run.frames(of: thread.stack, when: crash.crash.monotonic))
    guard let own = reading.touched else { return nil }
    let name =
      thread.ordinal.map { run.thread($0) } ?? run.thread(kernelID: thread.kernelID, thread.name)
    let queue = thread.queue.map { " (\(DisplayText.queue($0.label)))" } ?? ""
    guard own.isNamed else {
      return Finding.Evidence(
        "candidate: \(name)\(queue) was in code of \(own.place.module) for which no symbols are available"
      )
    }
    return Finding.Evidence("candidate: \(name)\(queue) was in", place: own.place)
  }
}
