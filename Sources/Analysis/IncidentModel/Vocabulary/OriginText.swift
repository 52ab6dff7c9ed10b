/// The origin of a piece of work, as a violation's crumb has it: `enqueued at App/Feed.swift:12 on queue net (thread 41)`.
package struct OriginText: Sendable, Equatable {
  /// How the work was sent: `registered`, `enqueued`, `bound`.
  package var how: String
  /// The place in the source, as `App/Feed.swift:12`.
  package var site: String
  /// The queue and the thread at that time.
  package var place: String

  package init(how: String, site: String, place: String) {
    self.how = how
    self.site = site
    self.place = place
  }

  /// Reads a recorded origin; nil for any other text.
  ///
  /// The place may contain any words, as a queue has any label. The others contain no space, except for the name of the file,
  /// which comes before a line.
  package init?(_ text: String) {
    guard let (how, rest) = Self.parts(of: text[...], around: " at "),
      let (site, place) = Self.parts(of: rest, around: " on ")
    else { return nil }
    self.init(how: String(how), site: String(site), place: String(place))
  }

  private static func parts(
    of text: Substring, around word: String
  ) -> (before: Substring, behind: Substring)? {
    guard let start = text.indices.first(where: { text[$0...].hasPrefix(word) }) else { return nil }
    return (text[..<start], text[start...].dropFirst(word.count))
  }

  /// Returns the addresses of a recorded stack; nil for any other text.
  package static func stack(_ text: String) -> [UInt64]? {
    let words = text.split(separator: " ")
    let addresses = words.compactMap { UInt64($0, radix: 16) }
    return words.isEmpty || addresses.count < words.count ? nil : addresses
  }
}
