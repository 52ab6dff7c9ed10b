import Foundation
import StatusModel
import Testing

@Suite struct CalendarDayTests {
  @Test(arguments: [
    ("2019-11-23", 6, "2020-05-23"), ("2019-08-31", 6, "2020-02-29"),
    ("2018-08-31", 6, "2019-02-28"), ("2020-02-29", 12, "2021-02-28"),
    ("2020-02-29", 48, "2024-02-29"), ("2019-12-31", 2, "2020-02-29"),
    ("2019-01-31", 1, "2019-02-28"), ("2019-05-31", 1, "2019-06-30"),
    ("2019-11-30", 0, "2019-11-30"), ("1999-12-31", 1, "2000-01-31"),
    ("2099-11-30", 3, "2100-02-28"),
  ])
  func aMonthLaterIsTheSameDayOrTheLastOfAShorterMonth(
    start: String, months: Int, end: String
  ) throws {
    #expect(try day(start).adding(months: months) == day(end))
  }

  @Test(arguments: [("2020-02-28", 2, "2020-03-01"), ("2019-12-31", 1, "2020-01-01")])
  func daysGoOverTheEndsOfMonthsAndYears(start: String, days: Int, end: String) throws {
    #expect(try day(start).adding(days: days) == day(end))
  }

  @Test func noSuchDayIsNoDay() {
    #expect(CalendarDay(2019, 2, 29) == nil)
    #expect(CalendarDay(2020, 2, 29) != nil)
    #expect(CalendarDay(2020, 13, 1) == nil)
    #expect(CalendarDay(2020, 4, 31) == nil)
    #expect(CalendarDay(2020, 4, 0) == nil)
  }

  @Test func theSameMomentIsAnotherDayElsewhere() throws {
    let newYear = Date(timeIntervalSince1970: 1_577_836_800)
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let newYork = try #require(TimeZone(identifier: "America/New_York"))
    #expect(try CalendarDay(of: newYear, in: tokyo) == day("2020-01-01"))
    #expect(try CalendarDay(of: newYear, in: newYork) == day("2019-12-31"))
  }

  @Test func daysComeInOrder() throws {
    let days = try ["2019-02-03", "2019-02-10", "2019-11-01", "2020-01-01"].map(day)
    #expect(days.shuffled().sorted() == days)
  }

  @Test func aDayIsWrittenAsItIsRead() throws {
    let text = Data(#"["2019-02-03"]"#.utf8)
    let days = try JSONDecoder().decode([CalendarDay].self, from: text)
    #expect(try JSONEncoder().encode(days) == text)
    for wrong in ["", "2019", "2019-02-30", "2019-2-3-4", "November"] {
      #expect(throws: DecodingError.self) { try day(wrong) }
    }
  }
}
