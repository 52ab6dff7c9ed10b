import Foundation
import SampleSupport
import Testing

/// The texts of a folder that each test writes.
@Suite final class LocalizedTextsTests {
  private enum Key: String {
    case greeting, farewell
  }

  private let url = FileManager.default.temporaryDirectory.appending(
    path: "texts-\(UUID().uuidString)")

  private var folder: LanguageFolder { LanguageFolder(url) }

  init() throws {
    for (language, text) in [("en", "%1$@, hello %2$@"), ("de", "%2$@, hallo %1$@")] {
      let folder = url.appending(path: "\(language).lproj")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("\"greeting\" = \"\(text)\";".utf8).write(
        to: folder.appending(path: "Localizable.strings"))
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  @Test(arguments: [
    (["de_AT.UTF-8@euro"], "de"), (["fr", "de"], "de"), (["DE"], "de"), (["C"], "en"), ([], "en"),
  ])
  func theFirstLanguageThereIsIsTaken(locales: [String], language: String) {
    #expect(LocalizedTexts<Key>(folder, preferring: locales).language == language)
    #expect(folder.languages == ["de", "en"])
  }

  @Test func valuesStandWhereTheLanguageWantsThem() {
    #expect(LocalizedTexts<Key>(folder, preferring: ["de"])(.greeting, "A", 2) == "2, hallo A")
  }

  @Test func whatIsMissingIsSeen() {
    #expect(LocalizedTexts<Key>(folder, preferring: ["de"])(.farewell) == "farewell")
    #expect(LanguageFolder(url.appending(path: "nowhere")).texts(of: "en").isEmpty)
  }

  @Test(arguments: [
    (["LANG": "bg_BG.UTF-8"], ["bg_BG.UTF-8"]), ([:], ["C"]),
    (["LANG": "de_AT", "LC_ALL": "bg_BG"], ["bg_BG"]),
    (["LANG": "de_AT", "LC_MESSAGES": "bg_BG", "LC_ALL": ""], ["bg_BG"]),
    (["LANGUAGE": "fr:bg", "LANG": "de"], ["fr", "bg", "de"]),
  ])
  func theEnvironmentNamesTheDevicesLocales(environment: [String: String], locales: [String]) {
    #expect(LanguageFolder.deviceLocales(environment) == locales)
  }
}
