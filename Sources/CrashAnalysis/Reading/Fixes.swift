import IncidentModel

/// Fixes in the names of the input.
enum Fixes {
  /// Hop where the callback comes in.
  static func hop(_ work: OffMainWork) -> Finding.Fix {
    if work.home != .main { return elsewhere(work) }
    guard work.isWatched else {
      return hop(work.reading, culprit: work.culprit, for: work.api)
    }
    return Finding.Fix(
      "The hop that this came through only watches; let it deliver.",
      code: ["MainHop(target, delivery: .automatic)"])
  }

  /// The same for work of another queue, of an actor or of a thread.
  private static func elsewhere(_ work: OffMainWork) -> Finding.Fix {
    let place = work.culprit.map { " in \(Words.name($0))" } ?? ""
    let text =
      switch work.home {
      case .main, .queue:
        "Send the work to \(work.home.words)\(place): queue.async, or async of its affinity."
      case .actor:
        "Send the work to \(work.home.words)\(place): await a method of the actor's, or async of its "
          + "affinity."
      case .thread:
        "Hand the work to \(work.home.words)\(place) by that thread's own loop or queue: nothing can be "
          + "sent to a thread. If another thread takes over for good, detach() the affinity first."
      }
    return Finding.Fix(text)
  }

  /// The same where the process is in the background: to hop alone would lay out what nobody sees.
  static func hopInBackground(_ work: OffMainWork) -> Finding.Fix {
    let hop = hop(work)
    return Finding.Fix(
      hop.text + " There, do no UI work in the background.",
      code: hop.code.map {
        $0.replacing("guard let self else", with: "guard let self, !self.isInBackground else")
      })
  }

  /// Hop in `culprit`, which led to the work that the stack shows.
  static func hop(
    _ reading: StackReading, culprit: CodePlace?, for api: String = ""
  ) -> Finding.Fix {
    let name = culprit.map { FunctionName($0.function) }
    guard let culprit, let name, canBeWritten(name) else {
      return Finding.Fix("Send the work to the main queue where its callback comes in.")
    }
    let body = call(reading, culprit, of: name) ?? (api.isEmpty ? "…" : "… // “\(api)”")
    let capture = name.type.isEmpty ? "" : " [weak self] in"
    let guarding = name.type.isEmpty ? [] : ["  guard let self else { return }"]
    let hop = ["DispatchQueue.main.async {\(capture)"] + guarding + ["  \(body)", "}"]
    if name.isClosure {
      return Finding.Fix("Hop to the main queue in \(Words.name(culprit)).", code: hop)
    }
    return Finding.Fix(
      "Hop to the main queue where \(Words.name(culprit)) is entered.",
      code: ["func \(name.last) {"] + hop.map { "  " + $0 } + ["}"])
  }

  /// Whether a function is one that a person writes a body of by its name: an address is not, and
  /// neither is an accessor.
  private static func canBeWritten(_ name: FunctionName) -> Bool {
    name.isClosure || name.last.contains("(") && !name.last.contains("+0x")
  }

  /// The line that leads to the work, where it is at hand; else the call as the stack has it.
  private static func call(
    _ reading: StackReading, _ culprit: CodePlace, of name: FunctionName
  ) -> String? {
    guard let touched = reading.touched, touched.place.function != culprit.function else {
      return nil
    }
    let links = reading.links.map(\.frame.place)
    let place = links.firstIndex { $0.function == culprit.function } ?? links.count
    let next = place > 0 ? links[place - 1] : touched.place
    let function = FunctionName(next.function)
    let called = function.last.prefix { $0 != "(" && $0 != "<" }
    // A call may have nothing but a closure behind it.
    if let source = culprit.source,
      source.contains("\(called)(") || source.contains("\(called) {")
    {
      let line = name.isClosure ? body(of: source, calling: called) : source
      return name.type.isEmpty ? line : withSelfUnwrapped(line)
    }
    let isOwn = !name.type.isEmpty && function.type == name.type
    return (isOwn ? "self." : "") + invocation(function.last)
  }

  /// The inside of a closure that stands on one line with the call that it is given to: the hop belongs
  /// there, and not around that call.
  private static func body(of source: String, calling function: some StringProtocol) -> String {
    let captures = ["{ [weak self]", "{ [self]"].lazy.compactMap { source.range(of: $0) }
    guard let capture = captures.first,
      let head = source[capture.upperBound...].range(of: " in "),
      let call = source.range(of: "\(function)("), head.upperBound <= call.lowerBound,
      let end = source.lastIndex(of: "}"), call.upperBound <= end
    else { return source }
    return source[head.upperBound..<end].split(separator: " ").joined(separator: " ")
  }

  /// The line below the `guard let self`; a closure in it that holds self weakly still does.
  private static func withSelfUnwrapped(_ source: String) -> String {
    if !source.contains("[weak self]") { return source.replacing("self?.", with: "self.") }
    return source.hasPrefix("self?.") ? "self." + source.dropFirst("self?.".count) : source
  }

  /// A call as code has it: `show(_:)` becomes `show(…)`.
  private static func invocation(_ function: String) -> String {
    guard let open = function.firstIndex(of: "(") else { return function }
    let isEmpty = function[open...].hasPrefix("()")
    return function[..<open].prefix { $0 != "<" } + (isEmpty ? "()" : "(…)")
  }
}
