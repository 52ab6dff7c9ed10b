/// The steps of a storm. The description of a schedule can be parsed to replay it.
///
///     background; on thread, main busy: received prices; on main, twice: failed
public struct StormSchedule: Sendable, Hashable {
  /// The steps, in order.
  public internal(set) var steps: [StormStep]

  init(_ steps: [StormStep]) { self.steps = steps }

  /// The number of steps that deliver a callback.
  public var deliveries: Int { steps.count { $0.isDelivery } }

  /// True if two deliveries overlap in time, so that the storm does not determine their order.
  var overlaps: Bool { steps.contains { $0.times == .concurrently } }

  /// True if a system can make all lifecycle moves of the schedule.
  var isPossible: Bool { impossibleMove == nil }

  /// The first lifecycle move that no system makes. A storm begins in the active state.
  private var impossibleMove: (LifecycleDriver.Move, LifecycleDriver.State)? {
    var state = LifecycleDriver.State.active
    for case .lifecycle(let move) in steps.map(\.action) {
      guard let next = move.destination(from: state) else { return (move, state) }
      state = next
    }
    return nil
  }

  /// Rejects a schedule that the scenario cannot play: a step without effect would make a test that
  /// cannot fail.
  func check(against availableSteps: AvailableSteps) throws(StormScheduleError) {
    if steps.isEmpty { throw StormScheduleError(description: "the schedule has no step") }
    for step in steps {
      switch step.action {
      case .deliver(let name, _):
        for name in [name] + (step.partner.map { [$0] } ?? []) {
          try availableSteps.check(name, among: availableSteps.callbacks, "callback")
        }
      case .act(let name): try availableSteps.check(name, among: availableSteps.actions, "action")
      case .cancel where !availableSteps.canCancel:
        throw StormScheduleError(
          description: "“\(step)” does nothing: the scenario has no `onCancel`")
      case .cancel, .lifecycle: break
      }
    }
    if let (move, state) = impossibleMove {
      throw StormScheduleError(
        description: "“\(move.rawValue)” is not a lifecycle transition from \(state.text)")
    }
  }

  /// Parses the description of a schedule.
  public init(parsing text: String) throws(StormScheduleError) {
    var steps: [StormStep] = []
    for part in text.split(separator: ";") {
      let part = trimmed(part)
      if !part.isEmpty { steps.append(try StormStep(parsing: part)) }
    }
    self.steps = steps
  }
}

/// The reason why a text is not a valid schedule.
public struct StormScheduleError: Error, CustomStringConvertible {
  /// A description of the error.
  public let description: String
}

extension StormSchedule: CustomStringConvertible {
  /// The text of the schedule, which can be parsed to replay it.
  public var description: String { steps.map(\.description).joined(separator: "; ") }
}

extension StormStep: CustomStringConvertible {
  /// The text of the step in a schedule's description.
  public var description: String {
    var words: [String]
    var name = ""
    switch action {
    case .cancel: words = ["cancel"]
    case .lifecycle(let move): words = [move.rawValue]
    case .act(let action):
      words = ["action"]
      name = ": \(action)"
    case .deliver(let callback, let place):
      words = ["on \(place.rawValue)"]
      name = ": \(callback)" + (partner.map { " + \($0)" } ?? "")
    }
    if isNewest { words.append("newest") }
    if times != .once { words.append(times.rawValue) }
    if delay > 0 { words.append("after \(delay) ms") }
    if order > 0 { words.append("order \(order)") }
    if whileMainIsBusy { words.append("main busy") }
    return words.joined(separator: ", ") + name
  }

  init(parsing text: String) throws(StormScheduleError) {
    let parts = text.split(separator: ":", maxSplits: 1)
    var words = parts[0].split(separator: ",").map { trimmed($0) }
    let first = words.removeFirst()
    if parts.count == 2, first.hasPrefix("on "),
      let place = Place(rawValue: String(first.dropFirst(3)))
    {
      self.init(.deliver(trimmed(parts[1]), on: place))
    } else if parts.count == 2, first == "action" {
      self.init(.act(trimmed(parts[1])))
    } else if parts.count == 1, first == "cancel" {
      self.init(.cancel)
    } else if parts.count == 1, let move = LifecycleDriver.Move(rawValue: first) {
      self.init(.lifecycle(move))
    } else {
      throw StormScheduleError(
        description:
          "“\(text)” is not a step of a schedule (expected “on PLACE: CALLBACK”, “action: NAME”, “cancel” or a lifecycle transition)"
      )
    }
    for word in words { try read(word, of: text) }
    if times == .concurrently, case .deliver(let names, let place) = action,
      let plus = names.firstRange(of: " + ")
    {
      action = .deliver(trimmed(names[..<plus.lowerBound]), on: place)
      partner = trimmed(names[plus.upperBound...])
    }
  }

  private mutating func read(_ word: String, of text: String) throws(StormScheduleError) {
    if word == "main busy" {
      whileMainIsBusy = true
    } else if word == "newest" {
      isNewest = true
    } else if let times = Times(rawValue: word) {
      self.times = times
    } else if word.hasPrefix("after "), word.hasSuffix(" ms"),
      let delay = Int(word.dropFirst(6).dropLast(3)), 0...60_000 ~= delay
    {
      self.delay = delay
    } else if word.hasPrefix("order "), let order = UInt32(word.dropFirst(6)) {
      self.order = order
    } else {
      throw StormScheduleError(description: "“\(word)” is not a valid option of the step “\(text)”")
    }
  }
}

private func trimmed(_ text: some StringProtocol) -> String {
  var rest = text[...]
  while rest.first?.isWhitespace == true { rest.removeFirst() }
  while rest.last?.isWhitespace == true { rest.removeLast() }
  return String(rest)
}

extension StormSchedule.AvailableSteps {
  fileprivate func check(
    _ name: String, among offers: [StormSchedule.AvailableStep], _ kind: String
  ) throws(StormScheduleError) {
    if offers.contains(where: { $0.name == name }) { return }
    let names = offers.map { "“\($0.name)”" }
    throw StormScheduleError(
      description: "the scenario has no \(kind) “\(name)”"
        + (names.isEmpty ? "" : "; its \(kind)s are " + names.joined(separator: ", ")))
  }
}
