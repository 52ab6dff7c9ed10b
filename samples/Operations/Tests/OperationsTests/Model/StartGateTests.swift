import Testing

@testable import Operations

@Suite struct StartGateTests {
  private let one = OperationID("1"), two = OperationID("2")

  @Test func itOpensWithTheLaterOfTheTwo() {
    var gate = StartGate()
    #expect(gate.ask(one).isEmpty)
    #expect(gate.screenShown().isEmpty)
    #expect(gate.ask(two).isEmpty)
    #expect(gate.scriptLoaded() == [one, two])

    gate = StartGate()
    #expect(gate.scriptLoaded().isEmpty)
    #expect(gate.ask(one).isEmpty)
    #expect(gate.screenShown() == [one])
  }

  @Test func onceOpenItLetsEachThroughOnce() {
    var gate = StartGate()
    _ = gate.scriptLoaded()
    _ = gate.screenShown()
    #expect(gate.ask(one) == [one])
    #expect(gate.ask(two) == [two])
    #expect(gate.screenShown().isEmpty)
  }

  @Test func itShutsWhenTheScriptIsDropped() {
    var gate = StartGate()
    _ = gate.scriptLoaded()
    _ = gate.screenShown()
    gate.scriptDropped()
    #expect(gate.ask(one).isEmpty)
    gate.scriptDropped()
    #expect(gate.ask(two).isEmpty)
    #expect(gate.scriptLoaded() == [two])
  }
}
