import IncidentModel

/// The interpretation of a stack: the function that did the work, the callback that led to it, and
/// the callback's caller.
struct StackReading {
  /// A function of the program itself, as a part of the stack.
  struct Link {
    var frame: Frame
    /// True if the caller called a protocol witness, without knowing the type.
    var throughProtocol = false
    /// The name of the protocol; empty if unknown.
    var protocolName = ""
    /// True if a system library called the function.
    var byLibrary = false
    /// True if an observation called the function during the change that it observes.
    var isObserver = false
    /// True for the innermost closure on the stack if it runs within a call of its own function.
    var isInOwnCall = false
    /// The frames between this function and the next own function, nearest first.
    var callers: [Frame] = []
  }

  /// The program's own functions, innermost first. A closure that runs within a call of its own
  /// function is omitted. If it is the innermost function, its function takes the closure's line,
  /// unless the function called other own code in between.
  let links: [Link]
  /// The program's own async functions that await the functions on the stack, innermost first.
  let awaiting: [Link]
  /// The innermost frame of a UI framework; nil if there are no such frames.
  let framework: Frame?
  /// The failed check if the stack ends in one; nil for other stacks.
  let check: Frame?

  /// The callback that led to the work: a closure or delegate method that other code called.
  let callback: Frame?
  /// The function that called the callback.
  let sender: Frame?
  /// The UI framework's function that the program's own code called.
  let entry: Frame?
  /// The library frame nearest to the work.
  let nearestLibrary: Frame?
  /// The commit of Core Animation that the stack shows, without own code inside the commit; the
  /// function that started the thread does not belong to the commit.
  let lateCommit: LateCommit?
  /// The program's function that started the thread of `lateCommit`.
  let committer: Frame?
  /// True if a waiting task waits in a sleep.
  let isAsleep: Bool
  /// True if a waiting task waits for the next element of a sequence.
  let awaitsElement: Bool
  /// True if the wait of a task is the rule: a sleep, or a loop over a sequence.
  var isIdle: Bool { isAsleep || awaitsElement }
  /// The code that sends work to the thread of the toolkit on the stack; nil if unknown.
  let toolkitHop: String?
  /// The program's function that runs the event loop, if the loop called the whole stack: that
  /// function does not choose the loop's work.
  let looper: Frame?
  /// The toolkit whose functions are on the stack; nil if unknown.
  let toolkit: Toolkit?
  private let opensNearest: Bool
  /// True if some frames have no name. They may be own code.
  private let hidesNames: Bool

  /// Interprets a stack.
  ///
  /// - Parameters:
  ///   - all: The frames, innermost first.
  ///   - opensNearest: True if the culprit is the function nearest to the work, not its callback.
  ///   - platform: The platform's toolkit, for a stack without toolkit frames.
  init(_ all: [Frame], opensNearest: Bool = false, platform: Toolkit? = nil) {
    self.opensNearest = opensNearest
    let frames = Array(all.prefix { !$0.isAwaiting })
    awaiting = Self.links(Array(all.dropFirst(frames.count)))
    hidesNames = frames.contains { !$0.isNamed }
    let outside = all.prefix { $0.role != .code }.map(\.place.function)
    isAsleep = outside.contains { $0.contains("sleep") }
    awaitsElement = outside.contains { function in
      function.contains("next(")
        && ["Stream", "Sequence", "Iterator"].contains(where: function.contains)
    }
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
    let isChecked = frames.prefix { $0.role != .code }.contains { $0.role == .check }
    let helpers =
      opensNearest
      ? own.prefix { link in
        let function = link.frame.place.function
        return ThreadCheckName.matches(function) || isChecked && Self.isCheckHelper(function)
      } : []
    links = helpers.count < own.count ? Array(own.dropFirst(helpers.count)) : own
    looper = opensNearest ? Self.looper(frames, links) : nil
    framework = frames.first { if case .ui = $0.role { true } else { false } }
    check = frames.prefix { $0.role != .code }.last { $0.role == .check }
    let place = Self.callbackPlace(in: links)
    callback = place.map { [links] in links[$0].frame }
    sender = place.flatMap { [links] in $0 + 1 < links.count ? links[$0 + 1].frame : nil }
  }

  /// True for the name of a function that only makes the check which the stack ends in:
  /// `Session.checkQueue()`.
  private static func isCheckHelper(_ function: String) -> Bool {
    let name = FunctionName(function).last.lowercased()
    return ["assert", "check", "verify", "ensure", "precondition", "require", "expect"].contains(
      where: name.hasPrefix)
      && ["queue", "isolat", "executor", "loop", "owner", "context"].contains(where: name.contains)
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

  /// True if no own function took part in the work at the end of the stack.
  var isWithoutOwnPart: Bool { links.isEmpty || looper != nil }

  /// Evidence for a stack without own code: the nearest library, if known.
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

  /// The outermost function that is not a closure: only its own function can pass a closure on.
  var entered: Frame? { links.last { !$0.frame.traits.isClosure }?.frame }

  /// The call from other code into the program: the callback that a framework called, or the
  /// closure that a queue ran; nil if the stack shows neither.
  var handover: Link? {
    guard opensNearest else { return nil }
    let place = links.indices.first { place in
      let link = links[place]
      let name = FunctionName(link.frame.place.function)
      // A closure that its own function passed to an inner call.
      let isInOwnCall = name.parent.map { parent in
        links[(place + 1)...].contains { $0.frame.place.function == parent }
      }
      if isInOwnCall == true { return false }
      // A collection, stream or optional only runs the closure that the next own function passed to
      // it.
      let isLast = links[(place + 1)...].isEmpty
      if !isLast, link.isInline { return false }
      if link.callers.contains(where: \.isFramework) { return true }
      return name.isClosure && link.callers.contains { $0.role == .drain }
    }
    return place.map { links[$0] }
  }

  /// The framework callback from which the program called a toolkit. Observers are skipped, because
  /// an observer runs on the thread of its caller.
  var calledBack: Frame? {
    guard let handover, handover.frame.isNamed, !handover.isOfPool,
      handover.callbackRule?.place != .caller,
      let language = CodeLanguage(handover.frame.place), !language.isOfSwift
    else { return nil }
    return handover.frame
  }

  /// The own function that started the work at the end of the stack; if the program's own library
  /// did the work, the function that called the library.
  var starter: Frame? {
    guard let touched else { return nil }
    return links.first { $0.frame.place.module != touched.place.module }?.frame ?? touched
  }

  /// Returns the callback that led to a function of the stack; nil if that function is the
  /// callback.
  func callback(to frame: Frame) -> Frame? {
    guard let place = links.firstIndex(where: { $0.frame == frame }) else { return nil }
    let outer = links[place...]
    let last = outer.first { $0.byLibrary || $0.frame.traits.isClosure }
    return last?.frame == frame ? nil : last?.frame
  }

  /// The documented queue of the callback, or the fact that its protocol promises none, as
  /// evidence; nil if the stack does not show the call.
  var promise: Finding.Evidence? {
    let place = handover?.frame ?? callback
    guard let place, let link = links.first(where: { $0.frame == place }) else { return nil }
    if let rule = link.callbackRule {
      return Finding.Evidence("\(rule.api) (\(rule.framework)): \(rule.rule)")
    }
    if link.throughProtocol, !link.protocolName.isEmpty {
      return Finding.Evidence(
        "called through the protocol \(link.protocolName), which specifies no queue: the caller chooses it"
      )
    }
    return nil
  }

  /// The culprit: with `opensNearest`, the function that did the work; otherwise the callback, else
  /// the closure that the queue ran, else the function that did the work.
  var culprit: Frame? {
    if opensNearest { return touched }
    if let callback { return callback }
    if let last = links.last, last.frame.traits.isClosure { return last.frame }
    return touched
  }

  /// Returns the index of the callback among `links`: the link nearest to the work that other code
  /// called.
  ///
  /// An observer runs within the change that it observes, so the code that made the change is
  /// farther out.
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

  /// True if the link belongs to a type. If a type has a function farther out on the stack, other
  /// code did not call back into the type.
  private static func isOfType(_ owner: String, _ link: Link) -> Bool {
    link.frame.traits.owner == owner
  }

  private static func isObserver(_ place: Int, in links: [Link]) -> Bool {
    if links[place].isObserver { return true }
    guard place + 1 < links.count else { return false }
    let caller = links[place + 1].frame.place.function
    return caller.hasSuffix(".didset") || caller.hasSuffix(".willset")
  }

  /// True for a function that notifies observers of a change, within the call that makes the
  /// change.
  private static func isObservation(_ frame: Frame) -> Bool {
    ["Observation", "Combine"].contains(frame.place.module)
  }

  /// True for a helper of a check, between the check's own functions.
  private static func isInsideCheck(_ place: Int, _ frames: [Frame]) -> Bool {
    let before = frames[..<place].last { $0.role != .runtime }
    let after = frames[(place + 1)...].first { $0.role != .runtime }
    return before?.role == .check && after?.role == .check
  }

  /// True for a thunk into the program that checks the isolation itself. The function that the
  /// thunk would have called is not on the stack.
  private static func isIsolated(_ place: Int, _ frames: [Frame]) -> Bool {
    let name = frames[place].place.function
    guard place > 0, frames[place - 1].role == .check, frames[place].role == .runtime else {
      return false
    }
    return name.hasPrefix("@objc ") || name.hasPrefix("protocol witness for ")
  }

  /// Returns `Delegate` for `protocol witness for Delegate.did(_:) in conformance Shop`.
  private static func protocolName(in witness: String) -> String {
    let member = witness.dropFirst("protocol witness for ".count)
    let name = member.range(of: " in conformance ").map { member[..<$0.lowerBound] } ?? member
    var parts = name.prefix { $0 != "(" && $0 != "<" }.split(separator: ".")
    if ["getter", "setter", "modify", "read"].contains(parts.last) { parts.removeLast() }
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
  /// True for Python's modules that run a function on a thread.
  fileprivate var isOfThreads: Bool {
    place.module == "threading" || place.module.hasPrefix("concurrent.futures")
  }

  /// True if the frame belongs to a framework, which calls closures of its clients.
  fileprivate var isFramework: Bool {
    switch role {
    case .library, .ui: true
    case .runtime: ["CoreFoundation", "Foundation"].contains(place.module)
    case .code, .check, .drain: false
    }
  }
}

extension StackReading.Link {
  /// The documented thread of the framework's callback; nil if unknown.
  var callbackRule: CallbackRule? {
    CallbackRules.rule(
      for: frame.place.function,
      calledBy: callers.map { ($0.place.function, $0.place.module) })
  }

  /// True if every caller runs the function within a call that own code made: a collection's loop,
  /// a stream's stage.
  var isInline: Bool {
    let callers = callers.filter { $0.isFramework && $0.isNamed }
    return !callers.isEmpty && callers.allSatisfy { CallbackRules.isInline($0.place.function) }
  }

  /// True if the function is the target of a thread that the program started in Python.
  var isThreadTarget: Bool { callers.contains(where: \.isOfThreads) }

  /// True if the program passed the function to a pool or thread itself, and no framework called it
  /// back.
  var isOfPool: Bool {
    if let rule = callbackRule { return rule.place == .executor }
    let caller = callers.first { $0.isFramework && $0.isNamed }
    return caller.map { CallbackRules.isPool($0.place.function) } ?? true
  }

  /// The framework that called the function; nil for a queue or a run loop.
  var framework: String? {
    let named = callbackRule?.framework
    // The names of C functions contain no framework, so the library is the framework.
    if let named, !named.contains("_"), !named.contains(":") { return named }
    guard let caller = callers.first(where: { $0.isFramework && $0.isNamed }) else { return named }
    // A statically linked library is in the program's own image.
    let isNamed = caller.place.module != "?" && caller.place.module != frame.place.module
    return isNamed ? caller.place.module : caller.place.function
  }

  /// Returns the function at the line of its closure.
  fileprivate func standing(at place: CodePlace) -> Self {
    var link = self
    if place.line != nil {
      link.frame.place.file = place.file
      link.frame.place.line = place.line
    }
    return link
  }
}
