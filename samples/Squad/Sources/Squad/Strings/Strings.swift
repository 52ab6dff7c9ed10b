import Foundation
import SampleSupport

/// The app's texts in one language: `strings(.retry)`.
package typealias Strings = LocalizedTexts<StringKey>

extension LocalizedTexts where Key == StringKey {
  /// The languages' files.
  package static var folder: LanguageFolder {
    LanguageFolder(Bundle.module.bundleURL.appending(path: "Languages"))
  }

  /// The texts in a language, in English where there is none such.
  package init(_ language: String) { self.init(preferring: [language]) }

  /// The texts in the first of these locales' languages that there is, such as `de_DE.UTF-8`.
  package init(preferring locales: [String]) { self.init(Self.folder, preferring: locales) }
}
