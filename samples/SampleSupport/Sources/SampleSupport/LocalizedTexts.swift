import Foundation

/// The texts of an app in one language; each is asked for by its key: `texts(.retry)`.
public struct LocalizedTexts<Key: RawRepresentable & Sendable>: Sendable
where Key.RawValue == String {
  /// The language's code, such as `bg`.
  public let language: String
  private let texts: [String: String]

  /// The texts in the first of these locales' languages that there is, and else in English.
  public init(_ folder: LanguageFolder, preferring locales: [String]) {
    language = folder.language(preferring: locales)
    texts = folder.texts(of: language)
  }

  /// What a key says, with values in place of `%1$@`, `%2$@`, and so on.
  public func callAsFunction(_ key: Key, _ values: any Sendable...) -> String {
    var text = texts[key.rawValue] ?? key.rawValue
    for (index, value) in values.enumerated() {
      text = text.replacingOccurrences(of: "%\(index + 1)$@", with: "\(value)")
    }
    return text
  }
}
