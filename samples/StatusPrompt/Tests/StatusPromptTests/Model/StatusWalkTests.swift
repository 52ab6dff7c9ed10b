import SampleSupport
import StatusModel
import Testing

/// Actions and answers in any order, late ones and doubled ones among them.
@Suite struct StatusWalkTests {
  /// The ways that the process can go, by the names of its states.
  private static let ways: Set<[String]> = [
    ["check", "check"], ["check", "prompt"], ["check", "final"], ["prompt", "update"],
    ["prompt", "final"], ["update", "save"], ["update", "final"], ["save", "save"],
    ["save", "final"],
  ]

  private static func name(_ step: Step) -> String {
    switch step {
    case .check: "check"
    case .prompt: "prompt"
    case .update: "update"
    case .save: "save"
    case .final: "final"
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func noOrderOfEventsTakesAWayThatThereIsNot(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let test = try MachineUnderTest()
    var late: [HeldService.Request] = []
    for _ in 0..<40 {
      late += test.service.requests
      switch Int.random(in: 0..<7, using: &random) {
      case 0...3: test.perform(MachineUnderTest.Action.allCases.randomElement(using: &random)!)
      case 4: test.service.answer(test.outdated)
      case 5: test.service.fail()
      default: late.randomElement(using: &random)?.answer(.success(test.outdated))
      }
    }
    let names = (["check"] + test.steps.map(Self.name))
    for way in zip(names, names.dropFirst()) {
      #expect(Self.ways.contains([way.0, way.1]), "\(names)")
    }
    #expect(names.count { $0 == "final" } <= 1)
  }
}
