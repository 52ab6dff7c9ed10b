import StatusModel
import Testing

@Suite struct OutdatedRuleTests {
  @Test(arguments: [
    ("2019-11-23", 6, "2020-05-23", false), ("2019-11-23", 6, "2020-05-24", true),
    ("2019-11-23", 6, "2020-05-22", false), ("2019-11-23", 3, "2020-02-24", true),
    ("2019-11-23", 12, "2020-11-23", false),
    // A month that has no such day ends on its last.
    ("2019-08-31", 6, "2020-02-29", false), ("2019-08-31", 6, "2020-03-01", true),
    ("2018-08-31", 6, "2019-02-28", false), ("2018-08-31", 6, "2019-03-01", true),
    ("2020-02-29", 12, "2021-02-28", false), ("2020-02-29", 12, "2021-03-01", true),
    // Nothing holds longer than its day.
    ("2019-11-23", 0, "2019-11-23", false), ("2019-11-23", 0, "2019-11-24", true),
    // A clock that was wrong is no reason to ask.
    ("2030-01-01", 6, "2020-01-01", false),
  ])
  func aCheckIsOutdatedTheDayAfterItsMonths(
    checked: String, months: Int, today: String, isOutdated: Bool
  ) throws {
    let rule = OutdatedRule(months: months)
    #expect(try rule.isOutdated(profile(checked: checked), on: day(today)) == isOutdated)
  }

  @Test func whatWasNeverSaidIsOutdated() throws {
    let rule = OutdatedRule(months: 6)
    let today = try day("2020-01-01")
    #expect(rule.isOutdated(.unknown, on: today))
    #expect(try rule.isOutdated(profile(nil, checked: "2019-12-31"), on: today))
    #expect(rule.isOutdated(KYSProfile(status: .positive, lastCheck: nil), on: today))
  }
}
