public import Foundation

/// The texts of an app in several languages, one `LANGUAGE.lproj/Localizable.strings` each.
public struct LanguageFolder: Sendable {
  private let folder: URL

  /// The folder that the languages' folders are in.
  public init(_ folder: URL) { self.folder = folder }

  /// The languages there are, by their codes, in alphabetical order.
  public var languages: [String] {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(6)) }.sorted()
  }

  /// All texts of a language, by their keys; none where there is no such language.
  public func texts(of language: String) -> [String: String] {
    let file = folder.appending(path: "\(language).lproj/Localizable.strings")
    guard let data = try? Data(contentsOf: file) else { return [:] }
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    return list as? [String: String] ?? [:]
  }

  /// The first of these locales whose language there is, and English where there is none.
  ///
  /// - Parameter locales: Such as `bg` or `de_AT.UTF-8@euro`.
  func language(preferring locales: [String]) -> String {
    let known = Set(languages)
    return locales.map { String($0.prefix { $0.isLetter }).lowercased() }.first(
      where: known.contains) ?? "en"
  }

  /// The device's locales, most wanted first, as the environment names them: `LANGUAGE` may list
  /// several, and `LC_ALL` outweighs `LC_MESSAGES` and `LANG`.
  public static func deviceLocales(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "C"
    return (value("LANGUAGE")?.split(separator: ":").map(String.init) ?? []) + [locale]
  }
}
