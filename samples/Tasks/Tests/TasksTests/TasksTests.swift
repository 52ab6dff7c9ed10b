import AffinityTesting
import CrashTesting
import Tasks
import Testing

@Suite struct LostAnswerTests {
  @Test func whoWaitsGetsWhatIsBrought() async {
    let desk = ParcelDesk(bug: false)
    async let collected: Void = desk.collect(for: "Ada")
    await desk.deliver(to: "Ada")
    await collected
  }

  @Test func aParcelThatComesAtTheWrongMomentIsLost() async throws {
    let bug = try #require(try await storm(bug: true, TaskStorm(seed: 1)))
    #expect(bug.reason.hasPrefix("“collect” never ended"))
    // The courier comes while the visitor writes.
    #expect(bug.schedule.changes == 1)
    let again = try await storm(bug: true, TaskStorm(replaying: "\(bug.schedule)"))
    #expect(again?.reason == bug.reason)
  }

  @Test func withTheFixNoneIs() async throws {
    for seed in UInt64(1)...3 { #expect(try await storm(bug: false, TaskStorm(seed: seed)) == nil) }
  }

  private func storm(bug: Bool, _ storm: TaskStorm) async throws -> TaskStormBug? {
    try await storm.findBug { scenario in
      let desk = ParcelDesk(bug: bug)
      scenario.task("collect", mayBeCancelled: false) { await desk.collect(for: "Ada") }
      scenario.task("deliver", mayBeCancelled: false) { await desk.deliver(to: "Ada") }
    }
  }
}

@Suite struct DoubleAnswerTests {
  @Test func aSecondAnswerEndsTheProcess() async {
    await expectCrash(.crash) {
      _ = try? await TaskStorm(seed: 1).findBug { scenario in
        let mirrors = Mirrors(bug: true)
        scenario.task("fetch") { _ = await mirrors.fastest() }
      }
    }
  }

  @Test func withTheFixTheFirstAnswerIsTheOnlyOne() async throws {
    try await TaskStorm(seed: 1).run { scenario in
      let mirrors = Mirrors(bug: false)
      scenario.task("fetch") {
        let name = await mirrors.fastest()
        if !["north", "south"].contains(name) { scenario.fail("nobody answered") }
      }
    }
  }
}

@Suite struct LostUpdateTests {
  @Test func oneBuyerAfterTheOtherGetsATicket() async {
    let office = TicketOffice(tickets: 1, bug: true)
    #expect(await office.sell(to: "Ada"))
    #expect(await !office.sell(to: "Grace"))
  }

  @Test func twoBuyersAtOnceGetOneTicket() async throws {
    let bug = try #require(try await storm(bug: true, TaskStorm(seed: 1)))
    #expect(bug.reason.hasPrefix("“no ticket is sold twice” does not hold"))
    #expect(bug.schedule.changes == 1)
    let again = try await storm(bug: true, TaskStorm(replaying: "\(bug.schedule)"))
    #expect(again?.reason == bug.reason)
  }

  @Test func withTheFixNoOrderSellsItTwice() async throws {
    for seed in UInt64(1)...3 { #expect(try await storm(bug: false, TaskStorm(seed: seed)) == nil) }
  }

  private func storm(bug: Bool, _ storm: TaskStorm) async throws -> TaskStormBug? {
    try await storm.findBug { scenario in
      let office = TicketOffice(tickets: 1, bug: bug)
      for buyer in ["Ada", "Grace"] { scenario.task(buyer) { _ = await office.sell(to: buyer) } }
      scenario.check("no ticket is sold twice") {
        let (left, sold) = await (office.left, office.sold)
        return left + sold == 1
      }
    }
  }
}

@Suite struct OutlivingTaskTests {
  @Test func theBoardShowsDepartures() async {
    let board = DepartureBoard(bug: false)
    await board.open()
    while await board.rows.isEmpty { await Task.yield() }
    await board.close()
    #expect(await board.rows.isEmpty)
  }

  @Test func whatWasFetchedForAnOpenBoardIsShownOnAClosedOne() async throws {
    let bug = try #require(try await storm(bug: true, TaskStorm(seed: 1)))
    #expect(bug.reason.hasPrefix("“a closed board shows nothing” does not hold"))
    let again = try await storm(bug: true, TaskStorm(replaying: "\(bug.schedule)"))
    #expect(again?.reason == bug.reason)
  }

  @Test func withTheFixNoOrderShowsIt() async throws {
    for seed in UInt64(1)...3 { #expect(try await storm(bug: false, TaskStorm(seed: seed)) == nil) }
  }

  private func storm(bug: Bool, _ storm: TaskStorm) async throws -> TaskStormBug? {
    try await storm.findBug { scenario in
      let board = DepartureBoard(bug: bug)
      scenario.task("open and close", mayBeCancelled: false) {
        await board.open()
        await board.close()
      }
      scenario.check("a closed board shows nothing") { await board.isRight }
    }
  }
}
