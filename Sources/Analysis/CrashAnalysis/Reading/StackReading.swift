import IncidentModel

/// The interpretation of a stack: the work that was touched, the callback that led there, and its caller.
struct StackReading {
  /// A function of the program's own on the stack.
  struct Link {
    var frame: Frame
    /// Called through a protocol's witness: by code that does not know the type.
    var throughProtocol = false
    /// The name of that protocol; empty without one.
    var protocolName = ""
    /// Called by a system library.
    var byLibrary = false
    /// Called about a change during that change.
    var isObserver = false
    /// A closure that runs inside its own function's call, where the stack begins.
    var isInOwnCall = false
    /// The frames between this function and the program's next one, the nearest first.
    var callers: [Frame] = []
  }

  /// The program's own functions, innermost first. Closures that run inside their own function's call are
  /// left out, but for the first: of it the function has the line, where it called nothing between.
  let links: [Link]
  /// The program's own async functions that wait for those on the stack, innermost first.
  let awaiting: [Link]
  /// The UI framework whose functions the stack is in, if it is.
  let framework: Frame?
  /// The check that failed, if the stack is inside one.
  let check: Frame?

  /// The callback that led to the work: a closure or a delegate's method that other code called.
  let callback: Frame?
  /// The function that called the callback.
  let sender: Frame?
  /// The framework's function that the program's own code called.
  let entry: Frame?
  /// The library nearest to the work, for a stack without code of the program's own.
  let nearestLibrary: Frame?
  /// A commit of Core Animation without the program's own code on the stack; the function that began the thread
  /// is not part of the event.
  let lateCommit: LateCommit?
  /// The program's function that began the thread of such a commit.
  let committer: Frame?
  /// Whether a task that waits does so in a call that sleeps.
  let isAsleep: Bool
  /// The call by which the toolkit on the stack sends work to its thread, as code; nil if unknown.
  let toolkitHop: String?
  /// The program's function that runs the loop from which the whole stack was called; it does not
  /// choose the loop's work.
  let looper: Frame?
  /// The toolkit whose functions the stack is in; nil if the toolkit is unknown.
  let toolkit: Toolkit?
  private let opensNearest: Bool
  /// True if frames without a name exist, which may be the program's own.
  private let hidesNames: Bool

  /// - Parameters:
  ///   - all: its frames, innermost first.
  ///   - opensNearest: whether the culprit is the function nearest to the work, not its callback.
  ///   - platform: the toolkit of the platform, for a stack that is in none.
  init(_ all: [Frame], opensNearest: Bool = false, platform: Toolkit? = nil) {
    self.opensNearest = opensNearest
    let frames = Array(all.prefix { !$0.isAwaiting })
    awaiting = Self.links(Array(all.dropFirst(frames.count)))
    hidesNames = frames.contains { !$0.isNamed }
    isAsleep = all.prefix { $0.role != .code }.contains { $0.place.function.contains("sleep") }
    nearestLibrary = frames.first { $0.role == .library }
    toolkit =
      frames.lazy.filter { $0.role != .code }.compactMap {
        Toolkit(function: $0.place.function, module: $0.place.module)
      }.first
    toolkitHop = (toolkit ?? platform)?.hop
    entry = frames.prefix { $0.role != .code }.last {
      if case .ui = $0.role { true } else { false }
    }
    lateCommit = opensNearest ? Self.lateCommit(frames) : nil
    committer = lateCommit == nil ? nil : Self.links(frames).last?.frame
    let own = lateCommit == nil ? Self.links(frames) : []
    let helpers =
      opensNearest
      ? own.prefix { ThreadCheckName.matches($0.frame.place.function) } : []
    links = helpers.count < own.count ? Array(own.dropFirst(helpers.count)) : own
    looper = opensNearest ? Self.looper(frames, links) : nil
    framework = frames.first { if case .ui = $0.role { true } else { false } }
    check = frames.prefix { $0.role != .code }.last { $0.role == .check }
    let place = Self.callbackPlace(in: links)
    callback = place.map { [links] in links[$0].frame }
    sender = place.flatMap { [links] in $0 + 1 < links.count ? links[$0 + 1].frame : nil }
  }

  private static func lateCommit(_ frames: [Frame]) -> LateCommit? {
    let commit = LateCommit(frames.map { ($0.place.function, $0.place.module) })
    return commit.flatMap { commit in
      frames[..<commit.frame].contains { $0.role == .code } ? nil : commit
    }
  }

  private static func looper(_ frames: [Frame], _ links: [Link]) -> Frame? {
    guard let first = links.first?.frame, let own = frames.firstIndex(of: first), first.isNamed,
      frames[..<own].contains(where: {
        $0.role != .code && WaitFunctions.runsLoop($0.place.function)
      })
    else { return nil }
    return first
  }

  /// True if no function of the program's own took part in the work that the stack ends in.
  var isWithoutOwnPart: Bool { links.isEmpty || looper != nil }

  /// Says where to look on a stack without code of the program's own.
  var absence: Finding.Evidence? {
    guard links.isEmpty, opensNearest else { return nil }
    let verb = hidesNames ? "names" : "shows"
    guard let nearestLibrary else {
      return Finding.Evidence("the report \(verb) no code of the program's own")
    }
    return Finding.Evidence(
      "the report \(verb) no code of the program's own; the nearest library is "
        + nearestLibrary.place.module, place: nearestLibrary.place)
  }

  /// The function that did the work.
  var touched: Frame? { links.first?.frame }

  /// The outermost function, except closures, which only their own function can pass on.
  var entered: Frame? { links.last { !$0.frame.traits.isClosure }?.frame }

  /// The call from other code into the program: the callback that a framework called, or the closure that a
  /// queue received; nil if the stack shows neither.
  var handover: Link? {
    guard opensNearest else { return nil }
    let place = links.indices.first { place in
      let link = links[place]
      let name = FunctionName(link.frame.place.function)
      // A closure that its own function has called by another's.
      let isInOwnCall = name.parent.map { parent in
        links[(place + 1)...].contains { $0.frame.place.function == parent }
      }
      if isInOwnCall == true { return false }
      // A collection, a stream or an optional only runs what the program's next function gave it.
      let isLast = links[(place + 1)...].isEmpty
      if !isLast, link.isInline { return false }
      if link.callers.contains(where: \.isFramework) { return true }
      return name.isClosure && link.callers.contains { $0.role == .drain }
    }
    return place.map { links[$0] }
  }

  /// The callback of a framework from which the program went on to call a toolkit. An observer runs
  /// on its caller's thread and is skipped.
  var calledBack: Frame? {
    guard let handover, handover.frame.isNamed, !handover.isOfPool,
      handover.callbackRule?.place != .caller,
      let language = CodeLanguage(handover.frame.place), !language.isOfSwift
    else { return nil }
    return handover.frame
  }

  /// The function that started the work at the end of the stack; for work given to a library of the program's
  /// own, the function that gave it.
  var starter: Frame? {
    guard let touched else { return nil }
    return links.first { $0.frame.place.module != touched.place.module }?.frame ?? touched
  }

  /// The caller of a callback that led to a function of the stack.
  func callback(to frame: Frame) -> Frame? {
    guard let place = links.firstIndex(where: { $0.frame == frame }) else { return nil }
    let outer = links[place...]
    let last = outer.first { $0.byLibrary || $0.frame.traits.isClosure }
    return last?.frame == frame ? nil : last?.frame
  }

  /// Evidence that the queue of a callback is not documented, if the stack shows the call.
  var promise: Finding.Evidence? {
    let place = handover?.frame ?? callback
    guard let place, let link = links.first(where: { $0.frame == place }) else { return nil }
    if let rule = link.callbackRule {
      return Finding.Evidence("\(rule.api) (\(rule.framework)): \(rule.rule)")
    }
    if link.throughProtocol, !link.protocolName.isEmpty {
      return Finding.Evidence(
        "called through the protocol \(link.protocolName), which does not promise a queue: whoever calls it "
          + "chooses")
    }
    return nil
  }

  /// The frame to open first: the callback; else the closure that the queue was given; else the
  /// function that did the work.
  var culprit: Frame? {
    if opensNearest { return touched }
    if let callback { return callback }
    if let last = links.last, last.frame.traits.isClosure { return last.frame }
    return touched
  }

  /// The callback among `links`: the link nearest to the work that other code called.
  ///
  /// An observer runs at the place of the change, so the code that made the change is farther out.
  private static func callbackPlace(in links: [Link]) -> Int? {
    let places = links.indices.filter { isCallback($0, in: links) }
    return places.first { !isObserver($0, in: links) } ?? places.first
  }

  private static func isCallback(_ place: Int, in links: [Link]) -> Bool {
    let link = links[place]
    if link.isInOwnCall { return false }
    if link.byLibrary { return true }
    guard place + 1 < links.count else { return false }
    let caller = links[place + 1].frame
    let traits = link.frame.traits
    if traits.isClosure { return true }
    guard traits.owner != caller.traits.owner else { return false }
    return traits.soundsLikeDelegate
      || link.throughProtocol && !links[(place + 1)...].contains { isOfType(traits.owner, $0) }
  }

  /// A type that is already farther in on the stack is not called back by other code: the caller of the thread
  /// is farther out.
  private static func isOfType(_ owner: String, _ link: Link) -> Bool {
    link.frame.traits.owner == owner
  }

  private static func isObserver(_ place: Int, in links: [Link]) -> Bool {
    if links[place].isObserver { return true }
    guard place + 1 < links.count else { return false }
    let caller = links[place + 1].frame.place.function
    return caller.hasSuffix(".didset") || caller.hasSuffix(".willset")
  }

  /// A function that tells observers of a change, within the call that makes it.
  private static func isObservation(_ frame: Frame) -> Bool {
    ["Observation", "Combine"].contains(frame.place.module)
  }

  /// A check's own helper, between the check's other functions.
  private static func isInsideCheck(_ place: Int, _ frames: [Frame]) -> Bool {
    let before = frames[..<place].last { $0.role != .runtime }
    let after = frames[(place + 1)...].first { $0.role != .runtime }
    return before?.role == .check && after?.role == .check
  }

  /// A thunk into the program that checks its isolation itself; the function that it would have called is not
  /// on the stack.
  private static func isIsolated(_ place: Int, _ frames: [Frame]) -> Bool {
    let name = frames[place].place.function
    guard place > 0, frames[place - 1].role == .check, frames[place].role == .runtime else {
      return false
    }
    return name.hasPrefix("@objc ") || name.hasPrefix("protocol witness for ")
  }

  /// `Delegate` of `protocol witness for Delegate.did(_:) in conformance Shop`.
  private static func protocolName(in witness: String) -> String {
    let path = witness.dropFirst("protocol witness for ".count).prefix { $0 != "(" && $0 != "<" }
    let parts = path.split(separator: ".")
    return parts.count > 1 ? String(parts[parts.count - 2]) : ""
  }

  private static func links(_ frames: [Frame]) -> [Link] {
    var links: [Link] = []
    for (place, frame) in frames.enumerated() {
      if frame.role == .code || isIsolated(place, frames) {
        if isInsideCheck(place, frames) { continue }
        if links.last?.frame.place.function != frame.place.function {
          links.append(Link(frame: frame))
        }
      } else if !links.isEmpty {
        let place = links.count - 1
        if frame.place.function.hasPrefix("protocol witness for ") {
          links[place].throughProtocol = true
          links[place].protocolName = protocolName(in: frame.place.function)
        }
        if frame.role == .library { links[place].byLibrary = true }
        links[place].callers.append(frame)
        if isObservation(frame) { links[place].isObserver = true }
      }
    }
    return withoutOwnClosures(links)
  }

  private static func withoutOwnClosures(_ links: [Link]) -> [Link] {
    var kept: [Link] = []
    let outermost = Dictionary(
      links.enumerated().map { ($0.element.frame.place.function, $0.offset) },
      uniquingKeysWith: max)
    for (place, link) in links.enumerated() {
      let isInOwnCall = link.frame.traits.parent.map { parent in
        outermost[parent].map { $0 > place } ?? false
      }
      guard isInOwnCall == true else {
        if let first = kept.first, kept.count == 1, first.isInOwnCall,
          [first.frame.traits.parent, FunctionName(first.frame.place.function).written]
            .contains(link.frame.place.function)
        {
          kept[0] = link.standing(at: first.frame.place)
        } else {
          kept.append(link)
        }
        continue
      }
      if place == 0 {
        kept.append(link)
        kept[0].isInOwnCall = true
      }
    }
    return kept
  }
}

extension Frame {
  /// Whether it belongs to a framework, which calls code that it does not know.
  fileprivate var isFramework: Bool {
    switch role {
    case .library, .ui: true
    case .runtime: ["CoreFoundation", "Foundation"].contains(place.module)
    case .code, .check, .drain: false
    }
  }
}

extension StackReading.Link {
  /// The documented thread of the framework's callback, if known.
  var callbackRule: CallbackRule? {
    CallbackRules.rule(
      for: frame.place.function,
      calledBy: callers.map { ($0.place.function, $0.place.module) })
  }

  /// Whether all that called it runs it within a call of the program's: a collection's loop, a stream's stage.
  var isInline: Bool {
    let callers = callers.filter { $0.isFramework && $0.isNamed }
    return !callers.isEmpty && callers.allSatisfy { CallbackRules.isInline($0.place.function) }
  }

  /// Whether it was given to a pool or a thread by the program, and no framework called it back.
  var isOfPool: Bool {
    if let rule = callbackRule { return rule.place == .executor }
    let caller = callers.first { $0.isFramework && $0.isNamed }
    return caller.map { CallbackRules.isPool($0.place.function) } ?? true
  }

  /// The framework that called; nil for a queue or a run loop.
  var framework: String? {
    let named = callbackRule?.framework
    // If C functions have no framework in their names, the library is the framework.
    if let named, !named.contains("_"), !named.contains(":") { return named }
    guard let caller = callers.first(where: { $0.isFramework && $0.isNamed }) else { return named }
    return caller.place.module == "?" ? caller.place.function : caller.place.module
  }

  /// The function, at the line where a closure of its own stands.
  fileprivate func standing(at place: CodePlace) -> Self {
    var link = self
    if place.line != nil {
      link.frame.place.file = place.file
      link.frame.place.line = place.line
    }
    return link
  }
}
