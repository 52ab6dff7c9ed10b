import Foundation
import SampleSupport
import Testing

@testable import Sites

@Suite struct LocalizationTests {
  @Test func thereAreThreeLanguages() {
    #expect(Localization.folder.languages == ["bg", "de", "en"])
  }

  @Test(arguments: Localization.folder.languages)
  func everyLanguageHasEveryTextAndNoOther(language: String) {
    let keys = Set(Localization.folder.texts(of: language).keys)
    #expect(keys == Set(TextKey.allCases.map(\.rawValue)))
  }

  @Test(arguments: Localization.folder.languages)
  func everyLanguageSaysSomethingAndNamesTheSameValues(language: String) {
    let english = Localization.folder.texts(of: "en")
    for (key, text) in Localization.folder.texts(of: language) {
      #expect(!text.trimmingCharacters(in: .whitespaces).isEmpty, "\(key)")
      #expect(places(in: text) == places(in: english[key] ?? ""), "\(key)")
    }
  }

  @Test func aTranslationDiffersFromTheEnglish() {
    let english = Localization.folder.texts(of: "en")
    for language in ["bg", "de"] {
      let same = Localization.folder.texts(of: language).filter { english[$0.key] == $0.value }
      #expect(same.isEmpty)
    }
  }

  @Test(arguments: [
    (["LANG": "bg_BG.UTF-8"], "bg"), (["LANG": "de"], "de"), (["LANG": "C"], "en"), ([:], "en"),
    (["LANG": "de_AT", "LC_ALL": "bg_BG"], "bg"),
    (["LANG": "de_AT", "LC_MESSAGES": "bg_BG", "LC_ALL": ""], "bg"),
    (["LANGUAGE": "fr:bg:de", "LANG": "de_DE.UTF-8@euro"], "bg"), (["LANG": "fr_FR"], "en"),
  ])
  func theDeviceChoosesTheLanguage(environment: [String: String], language: String) {
    let preferred = LanguageFolder.deviceLocales(environment)
    #expect(Localization(preferring: preferred).language == language)
  }

  @Test func valuesStandWhereTheLanguageWantsThem() {
    let texts = Localization(preferring: ["bg"])
    #expect(texts(.errorStatus, "500") == "Сървърът отговори със статус 500.")
    #expect(texts.title(of: .nameAscending) == "Ред: А–Я")
  }

  @Test func everyErrorIsSaidInWords() {
    let texts = Localization(preferring: ["en"])
    #expect(
      texts.message(for: .requestFailed(.status(500))) == "The server answered with status 500.")
    #expect(
      texts.message(for: .requestFailed(.noAnswer(.cannotConnectToHost)))
        == "The server cannot be reached.")
    #expect(
      texts.message(for: .requestFailed(.noAnswer(.timedOut))) == "The server takes too long.")
    #expect(
      texts.message(for: .requestFailed(.noAnswer(.badServerResponse)))
        == "The server did not answer (-1011).")
    #expect(
      texts.message(for: .decodingError("no JSON"))
        == "The server's answer makes no sense: no JSON.")
  }

  private func places(in text: String) -> Set<String> {
    Set(text.matches(of: /%\d+\$@/).map { String($0.output) })
  }
}
