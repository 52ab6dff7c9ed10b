/// The origin of a piece of work in a violation's crumb: `enqueued at App/Feed.swift:12 on queue
/// net (thread 41)`.
package struct OriginText: Sendable, Equatable {
  /// The operation that sent the work: `registered`, `enqueued`, `bound`.
  package var how: String
  /// The source location, such as `App/Feed.swift:12`.
  package var site: String
  /// The queue and the thread of the operation.
  package var place: String

  package init(how: String, site: String, place: String) {
    self.how = how
    self.site = site
    self.place = place
  }

  /// Parses a recorded origin; nil for any other text.
  ///
  /// The place may contain any text, because it contains the queue's label. `how` and `site`
  /// contain no space, except in the file name of `site`.
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
