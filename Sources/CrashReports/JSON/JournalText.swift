/// The text that an entry of a log in JSON holds: the journal's, a container's, a service's own.
enum JournalText {
  private static let keys = ["MESSAGE", "log", "message", "msg", "textPayload", "line"]

  /// The entry's text; nil where the document has none.
  static func bytes(ofEntry json: JSON) -> [UInt8]? {
    guard json.isObject else { return nil }
    for key in keys {
      if let text = json[key], text.string != nil || text.isArray { return bytes(of: text) }
    }
    return nil
  }

  /// A field's bytes: the journal writes what is no plain text as an array of them.
  static func bytes(of json: JSON?) -> [UInt8] {
    guard let json else { return [] }
    if let text = json.string { return Array(text.utf8) }
    return json.array.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
  }
}
