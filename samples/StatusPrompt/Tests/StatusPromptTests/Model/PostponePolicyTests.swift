import Foundation
import StatusModel
import Testing

@Suite struct PostponePolicyTests {
  private let launch = UUID()

  @Test(arguments: [PostponePolicy.untilNextLaunch, .days(7)])
  func whoHasNotPostponedIsAsked(policy: PostponePolicy) throws {
    #expect(try !policy.isQuiet(after: nil, on: day("2020-06-23"), launch: launch))
  }

  @Test func untilTheNextLaunchIsAsLongAsTheAppRuns() throws {
    let postponed = Postponement(day: try day("2020-06-23"), launch: launch)
    let policy = PostponePolicy.untilNextLaunch
    #expect(try policy.isQuiet(after: postponed, on: day("2020-06-23"), launch: launch))
    #expect(try policy.isQuiet(after: postponed, on: day("2021-06-23"), launch: launch))
    #expect(try !policy.isQuiet(after: postponed, on: day("2020-06-23"), launch: UUID()))
  }

  @Test(arguments: [
    ("2020-06-23", true), ("2020-06-29", true), ("2020-06-30", false), ("2021-01-01", false),
    // Postponed by a clock that was wrong.
    ("2020-06-22", false),
  ])
  func aWeekIsAWeekHoweverOftenTheAppIsLaunched(today: String, isQuiet: Bool) throws {
    let postponed = Postponement(day: try day("2020-06-23"), launch: launch)
    let policy = PostponePolicy.days(7)
    #expect(try policy.isQuiet(after: postponed, on: day(today), launch: launch) == isQuiet)
    #expect(try policy.isQuiet(after: postponed, on: day(today), launch: UUID()) == isQuiet)
  }
}
