import Foundation
import Testing

@testable import Squad

@Suite struct StringsTests {
  @Test(arguments: Strings.folder.languages)
  func eachLanguageHasExactlyTheTextsThatTheAppSays(language: String) {
    let table = Strings.folder.texts(of: language)
    #expect(Set(table.keys) == Set(StringKey.allCases.map(\.rawValue)))
    #expect(!table.values.contains(""))
  }

  @Test(arguments: Strings.folder.languages)
  func eachTextHasPlacesForTheSameValuesInAllLanguages(language: String) {
    let places = { (text: String?) in
      (1...9).filter { text?.contains("%\($0)$@") ?? false }
    }
    let own = Strings.folder.texts(of: language)
    // A number that is said as a word needs no place for it.
    let spelled = [StringKey.othersOne.rawValue]
    for (key, text) in Strings.folder.texts(of: "en") where !spelled.contains(key) {
      #expect(places(own[key]) == places(text), "\(key)")
    }
  }

  @Test func noLanguageIsACopyOfAnother() {
    let tables = Strings.folder.languages.map(Strings.folder.texts)
    for (index, table) in tables.enumerated() {
      for other in tables[..<index] {
        let same = table.filter { other[$0.key] == $0.value }.keys
        #expect(same.sorted() == ["image.loading"])
      }
    }
  }

  @Test func thereAreThreeLanguages() {
    #expect(Strings.folder.languages == ["de", "en", "it"])
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
