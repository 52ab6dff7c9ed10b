import Foundation
public import SampleSupport

/// The app's texts in one language: `texts(.loading)`.
public typealias Localization = LocalizedTexts<TextKey>

extension LocalizedTexts where Key == TextKey {
  /// The languages' files.
  static var folder: LanguageFolder {
    LanguageFolder(Bundle.module.bundleURL.appending(path: "Resources"))
  }

  /// The texts in the first of these locales' languages that there is, and else in English.
  public init(preferring locales: [String] = LanguageFolder.deviceLocales()) {
    self.init(Self.folder, preferring: locales)
  }
}
