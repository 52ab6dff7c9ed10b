import Foundation

/// The app's texts in one language, read from that language's strings file.
public struct Localization: Sendable {
  /// The language's code, such as `bg`.
  let language: String
  private let texts: [String: String]

  /// The languages there are, in no order.
  static var languages: [String] {
    let folders = try? FileManager.default.contentsOfDirectory(atPath: resources.path)
    return (folders ?? []).filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(6)) }
  }

  /// The texts in the first of `preferred` that there is, and else in English.
  public init(preferred: [String] = deviceLanguages()) {
    let known = Set(Self.languages)
    language = preferred.first { known.contains($0) } ?? "en"
    texts = Self.table(of: language)
  }

  /// What a key says, with `values` in place of `%1$@`, `%2$@`, and so on.
  func text(_ key: TextKey, _ values: String...) -> String {
    var text = texts[key.rawValue] ?? key.rawValue
    for (index, value) in values.enumerated() {
      text = text.replacingOccurrences(of: "%\(index + 1)$@", with: value)
    }
    return text
  }

  /// What a language's file says, by key.
  static func table(of language: String) -> [String: String] {
    let file = resources.appending(path: "\(language).lproj/Localizable.strings")
    guard let data = try? Data(contentsOf: file) else { return [:] }
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    return list as? [String: String] ?? [:]
  }

  /// The device's languages, most wanted first, as the environment names them: `LANGUAGE` may list
  /// several, and `LC_ALL` outweighs `LC_MESSAGES` and `LANG`.
  public static func deviceLanguages(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "C"
    let wanted = (value("LANGUAGE")?.split(separator: ":").map(String.init) ?? []) + [locale]
    // "bg_BG.UTF-8@euro" speaks Bulgarian.
    return wanted.map { String($0.prefix { $0.isLetter }).lowercased() }
  }

  private static var resources: URL { Bundle.module.bundleURL.appending(path: "Resources") }
}
