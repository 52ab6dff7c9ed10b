import IncidentModel

/// A continuation's two resumes: the one that the process died in, and the one before, by the source.
struct ResumedTwice {
  let evidence: [Finding.Evidence]
  let fix: String

  init?(_ crash: CrashReading) {
    let places = crash.reading.links.map(\.frame.place) + crash.reading.awaiting.map(\.frame.place)
    guard
      let function = ContinuationSource.function(
        in: crash.crash.text, before: " tried to resume its continuation"),
      let source = ContinuationSource(of: function, near: places), let second = places.first,
      !source.resumes.isEmpty
    else { return nil }
    let others = source.resumes.filter { $0.file != second.file || $0.line != second.line }
    let made = source.made.map { [Finding.Evidence("the continuation was made here", place: $0)] }
    let isKnown = others.count < source.resumes.count && Self.isExact(second)
    // Its closure runs once; a callback in it may run any number of times.
    if isKnown, others.count == 1, source.resumes.count == 2, source.areInItsOwnClosure {
      evidence =
        (made ?? []) + [Finding.Evidence("the first resume of it is here", place: others[0])]
      fix =
        "\(others[0].shortPosition ?? "") has resumed it already: let only one of the two lines run, by a return "
        + "after the first or by else."
    } else if isKnown, others.isEmpty {
      evidence =
        (made ?? []) + [
          Finding.Evidence(
            "no other line of its source resumes it, so that this one ran twice", place: second)
        ]
      fix =
        "What runs \(second.shortPosition ?? "this line") ran twice: resume only in the first call of it."
    } else {
      evidence =
        (made ?? [])
        + source.resumes.prefix(4).map {
          Finding.Evidence("one of the lines that resume it", place: $0)
        }
      fix = "Let one way resume the continuation of \(function), and return after each resume."
    }
  }

  /// Whether the line of a place is its own: an optimized build has one for calls that are alike, in the function that
  /// their closure became part of.
  private static func isExact(_ place: CodePlace) -> Bool {
    guard let line = place.line, let body = SwiftBody(place),
      let start = body.text.beginning(ofLine: line)
    else { return false }
    let around = body.text.blocks(around: start).first { $0.kind != .control }
    return around?.open == body.block.open || body.text.line(of: body.block.open) == line
  }
}

/// A recursion that used up its stack.
struct Recursion {
  let evidence: [Finding.Evidence]

  init?(_ crash: CrashReading) {
    let own = crash.frames.filter { $0.role == .code }
    let counts = Dictionary(grouping: own, by: \.place.function).mapValues(\.count)
    let repeated = counts.filter { $0.value >= 10 }.sorted {
      ($1.value, $0.key) < ($0.value, $1.key)
    }
    guard let most = repeated.first else { return nil }
    let isWhole = crash.crash.thread?.stack.end == .complete
    let names = repeated.prefix(4).map { "\($0.key) (\($0.value) times)" }.joined(separator: ", ")
    let of =
      isWhole
      ? "of its \(crash.frames.count) frames" : "of the innermost \(crash.frames.count) frames"
    var evidence = [
      Finding.Evidence(
        "\(of), these repeat: \(names)",
        place: own.first { $0.place.function == most.key }.map { SourceLine.added(to: $0.place) })
    ]
    let functions = Set(repeated.map(\.key))
    if let last = own.lastIndex(where: { functions.contains($0.place.function) }) {
      if last + 1 < own.count {
        evidence.append(
          Finding.Evidence("called first here", place: SourceLine.added(to: own[last + 1].place)))
      } else if !isWhole {
        evidence.append(
          Finding.Evidence(
            "who called it first is not recorded: the record has the innermost frames only"))
      }
    }
    self.evidence = evidence
  }
}

/// A death in the runtime's reference counting: the object was gone, or the reference was none.
struct FreedObject {
  let evidence: Finding.Evidence

  init?(_ crash: CrashReading) {
    let called = crash.frames.prefix { $0.role != .code }.map(\.place.function)
    let words = [
      "retain", "release", "RefCounts", "swift_weak", "swift_unowned", "swift_arrayDestroy",
      "swift_isUniquelyReferenced",
    ]
    guard
      let function = called.first(where: { name in
        (name.contains("swift") || name.hasPrefix("objc_")) && words.contains { name.contains($0) }
      })
    else { return nil }
    let short = function.prefix { $0 != "(" && $0 != "<" }
    evidence = Finding.Evidence(
      "it died in \(short), on a reference: the pattern of an object that was freed already, by a release too many or by "
        + "two threads that changed one reference; who freed it is not recorded",
      place: crash.reading.touched?.place)
  }
}
