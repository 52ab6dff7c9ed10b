import IncidentModel

/// A crash in a method of an actor after an await, while other tasks were suspended inside methods
/// of the same actor type: their calls may have changed the state of the actor across the await.
///
/// The evidence is no proof: the record contains the actor's type, not its identity, and not the
/// changes of its state.
struct Reentrancy {
  /// Tasks that were suspended at one await inside the actor.
  struct Visit {
    var place: CodePlace
    var tasks: Int
  }

  /// The type of the actor.
  let actor: String
  /// The method that crashed after an await.
  let method: CodePlace
  /// The crashed line, in the method or in a synchronous method that it called.
  let died: CodePlace
  /// The awaits at which other tasks were suspended, in the crashed method first, then the most
  /// tasks first.
  let visits: [Visit]

  /// - Returns: nil if the crashed code is not a method of the actor on which its task ran, if it had
  ///   not awaited before, if no other task was inside, or if the source shows that the lines after
  ///   the await use no variable of the actor.
  init?(_ crash: CrashReading, in run: RunState) {
    guard case .actor(let known)? = crash.crash.task?.place, let waiting = crash.crash.waiting,
      !crash.isIsolationTrap
    else { return nil }
    let death = Death(crash, wasAskedFor: crash.wasAskedFor(in: run))
    guard SourceParty.mayBeStale.contains(death.kind), !death.isOfMemory else { return nil }
    let own = crash.frames.filter { $0.role == .code && !$0.isAwaiting }
    guard let method = own.first(where: { $0.isAfterAwait != nil }), method.isAfterAwait == true,
      let died = own.first, let type = Self.type(method, known)
    else { return nil }
    let isMember = { (frame: Frame) in
      let name = FunctionName(frame.place.function)
      return name.type == type && frame.place.module == method.place.module
        && !name.written.hasPrefix("static ")
    }
    guard own.prefix(while: { $0 != method }).allSatisfy(isMember) else { return nil }
    actor = String(type.split(separator: ".").last ?? type[...])
    self.method = SourceLine.added(to: method.place)
    self.died = SourceLine.added(to: died.place)
    var visits: [Visit] = []
    for wait in waiting.places {
      let frames = run.frames(of: wait.stack, when: crash.crash.monotonic).filter { frame in
        frame.role == .code && frame.isAfterAwait == true && isMember(frame)
      }
      let inside =
        frames.first { $0.place.function == method.place.function }
        ?? frames.first { !Self.isNonisolated($0.place) }
      guard let place = inside?.place else { continue }
      if let known = visits.firstIndex(where: { $0.place == place }) {
        visits[known].tasks += wait.tasks
      } else {
        visits.append(Visit(place: place, tasks: wait.tasks))
      }
    }
    func isElsewhere(_ visit: Visit) -> Int {
      visit.place.function == method.place.function ? 0 : 1
    }
    self.visits = visits.sorted {
      (isElsewhere($0), $1.tasks) < (isElsewhere($1), $0.tasks)
    }.map { Visit(place: SourceLine.added(to: $0.place), tasks: $0.tasks) }
    if visits.isEmpty || usesNoState { return nil }
  }

  /// Returns the type of the actor whose method ran.
  ///
  /// A task also runs on an actor in functions of other types that inherit the executor of their
  /// caller, and in types that are isolated to a global actor.
  ///
  /// - Parameter known: The type of the actor on which the task ran; empty if it was not recorded.
  /// - Returns: nil unless the record, the name or the source shows that the type is that actor.
  private static func type(_ method: Frame, _ known: String) -> String? {
    let name = FunctionName(method.place.function)
    guard !name.type.isEmpty, !name.written.hasPrefix("static ") else { return nil }
    if !known.isEmpty {
      return known == name.type || known.hasSuffix("." + name.type) ? name.type : nil
    }
    guard method.isOfClass else { return nil }
    let place = method.place
    guard let path = place.file, let line = place.line, let text = SwiftFiles.shared.text(at: path),
      let byte = text.beginning(ofLine: line),
      let words = text.blocks(around: byte).first(where: { $0.kind == .type })?.header.words
    else { return name.type }
    return words.contains("actor") || words.contains("extension") ? name.type : nil
  }

  /// True if the source declares the function `nonisolated`: it does not run on the actor.
  private static func isNonisolated(_ place: CodePlace) -> Bool {
    SourceFunction(around: place)?.header.words.contains("nonisolated") ?? false
  }

  /// The await of the crashed method at which other tasks were suspended; nil if they were suspended
  /// in other methods.
  var awaited: CodePlace? {
    visits.first.flatMap { $0.place.function == method.function ? $0.place : nil }
  }

  /// True if the source shows that no line from the await to the crash mentions a variable of the
  /// actor.
  private var usesNoState: Bool {
    guard let path = died.file, let line = died.line, let text = SwiftFiles.shared.text(at: path),
      let byte = text.beginning(ofLine: line),
      let function = text.blocks(around: byte).first(where: { $0.kind == .function }),
      let type = text.blocks(around: byte).first(where: { $0.kind == .type })
    else { return false }
    let variables = Set(SourceState.variables(of: type, in: text))
    // An extension does not declare the variables.
    guard !variables.isEmpty else { return false }
    let isInMethod = died.function == method.function
    let start = isInMethod ? awaited?.line ?? 0 : 0
    let first = max(text.line(of: function.open), min(start + 1, line))
    return !(first...line).contains { line in
      text.read(text.range(ofLine: line)).words.contains { variables.contains(String($0)) }
    }
  }
}

/// The state that the source of a type declares.
enum SourceState {
  /// Returns the names of the variables that a type declares.
  static func variables(of type: SwiftText.Block, in text: SwiftText) -> [String] {
    (text.line(of: type.open)...text.line(of: type.close)).compactMap { line in
      guard let byte = text.beginning(ofLine: line),
        text.blocks(around: byte).first?.open == type.open
      else { return nil }
      let words = text.codeText(text.range(ofLine: line)).words
      return words.firstIndex(of: "var").flatMap { at in
        at + 1 < words.count ? String(words[at + 1]) : nil
      }
    }
  }
}
