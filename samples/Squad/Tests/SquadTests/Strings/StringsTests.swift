import Foundation
import Testing

@testable import Squad

@Suite struct StringsTests {
  @Test(arguments: Strings.languages)
  func eachLanguageHasExactlyTheTextsThatTheAppSays(language: String) {
    let table = Strings.table(of: language)
    #expect(Set(table.keys) == Set(StringKey.allCases.map(\.rawValue)))
    #expect(!table.values.contains(""))
  }

  @Test(arguments: Strings.languages)
  func eachTextHasPlacesForTheSameValuesInAllLanguages(language: String) {
    let places = { (text: String?) in
      (1...9).filter { text?.contains("%\($0)$@") ?? false }
    }
    let own = Strings.table(of: language)
    // A number that is said as a word needs no place for it.
    let spelled = [StringKey.othersOne.rawValue]
    for (key, text) in Strings.table(of: "en") where !spelled.contains(key) {
      #expect(places(own[key]) == places(text), "\(key)")
    }
  }

  @Test func noLanguageIsACopyOfAnother() {
    let tables = Strings.languages.map(Strings.table)
    for (index, table) in tables.enumerated() {
      for other in tables[..<index] {
        let same = table.filter { other[$0.key] == $0.value }.keys
        #expect(same.sorted() == ["image.loading"])
      }
    }
  }

  @Test func everyFileIsAmongTheLanguages() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Bundle.module.bundlePath + "/Languages")
    #expect(files.sorted() == Strings.languages.sorted().map { "\($0).lproj" })
  }

  @Test func speaksTheFirstLanguageItHas() {
    #expect(Strings(preferring: ["fr_FR.UTF-8", "it_CH", "de"]).language == "it")
    #expect(Strings(preferring: ["C"]).language == "en")
    #expect(Strings(preferring: []).language == "en")
    #expect(Strings("de")(.retry) == "Nochmal")
  }

  @Test func valuesTakeTheirPlaces() {
    #expect(Strings("en")(.confirmFire, "Iron Falcon") == "Fire Iron Falcon from the squad?")
    #expect(Strings("it").text(RemoteError.status(500)) == "Il server ha rifiutato (500).")
  }

  @Test func countsAreSaidAsPeopleSayThem() {
    let english = Strings("en")
    #expect([0, 1, 2].map(english.others) == ["", "and 1 other comic", "and 2 other comics"])
  }
}
