import StatusModel
import Testing

/// What each action does in each state: all of them, and most do nothing.
@Suite struct StateTableTests {
  private typealias Place = MachineUnderTest.Place
  private typealias Action = MachineUnderTest.Action

  /// Where each action leads; where nothing is said the process stays where it is.
  private static func expected(_ place: Place, _ action: Action) throws -> Step? {
    let outdated = try profile(checked: "2019-11-23")
    switch (place, action) {
    case (.check, .check): return .check(isAsking: true)
    case (.prompt, .update): return .update(outdated)
    case (.update, .save), (.saveFailed, .save): return .save(.negative, failure: nil)
    case (.final, _): return nil
    case (_, .cancel): return .final(.cancelled)
    default: return nil
    }
  }

  private static let table = Place.allCases.flatMap { place in
    Action.allCases.map { (place, $0) }
  }

  @Test(arguments: table)
  private func everyActionDoesInEveryStateWhatTheTableSays(place: Place, action: Action) throws {
    let test = try MachineUnderTest(place)
    let before = test.machine.step
    let asked = test.service.requests.count
    test.perform(action)
    let expected = try Self.expected(place, action)
    #expect(test.machine.step == expected ?? before)
    let asks = expected == .check(isAsking: true) || expected == .save(.negative, failure: nil)
    #expect(test.service.requests.count == asked + (asks ? 1 : 0))
  }

  @Test func thePlacesOfTheTableAreThoseOfTheMachine() throws {
    let outdated = try profile(checked: "2019-11-23")
    let steps: [Place: Step] = [
      .check: .check(isAsking: false), .checking: .check(isAsking: true),
      .prompt: .prompt(outdated), .update: .update(outdated),
      .saving: .save(.positive, failure: nil),
      .saveFailed: .save(.positive, failure: StatusError("no network")),
      .final: .final(.cancelled),
    ]
    for place in Place.allCases {
      #expect(try MachineUnderTest(place).machine.step == steps[place])
    }
  }

  /// Whoever cancels where they were asked has postponed; whoever gives up saving has not.
  @Test(arguments: Place.allCases)
  private func cancellingAPromptOrTheScreenPostpones(place: Place) throws {
    let test = try MachineUnderTest(place)
    test.postponements.postponement = nil
    test.machine.cancel()
    let isPostponed = test.postponements.postponement != nil
    #expect(isPostponed == (place == .prompt || place == .update))
  }
}
