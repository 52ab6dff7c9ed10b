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
}
