import Foundation

/// The app's texts in one language, from that language's file.
package struct Strings: Sendable {
  /// The languages there are files of.
  package static let languages = ["en", "it", "de"]

  /// The one that is spoken: `it`.
  package let language: String
  private let table: [String: String]

  /// Reads the file of a language; of the first one where there is none of it.
  package init(_ language: String) {
    let known = Self.languages.contains(language) ? language : Self.languages[0]
    self.language = known
    table = Self.table(of: known)
  }

  /// The first language of these that there is a file of, as `de_DE.UTF-8` says it.
  package init(preferring languages: [String]) {
    let wanted = languages.map { String($0.prefix { $0.isLetter }).lowercased() }
    self.init(wanted.first(where: Self.languages.contains) ?? Self.languages[0])
  }

  /// A text, with its places `%1$@`, `%2$@` taken by values.
  package func callAsFunction(_ key: StringKey, _ values: any Sendable...) -> String {
    var text = table[key.rawValue] ?? key.rawValue
    for (index, value) in values.enumerated() {
      text = text.replacingOccurrences(of: "%\(index + 1)$@", with: "\(value)")
    }
    return text
  }

  /// All texts of a language, by their names.
  static func table(of language: String) -> [String: String] {
    let file = Bundle.module.bundleURL
      .appendingPathComponent("Languages/\(language).lproj/Localizable.strings")
    guard let data = try? Data(contentsOf: file),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    else { return [:] }
    return list as? [String: String] ?? [:]
  }
}
