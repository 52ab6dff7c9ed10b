/// The events in a Sentry envelope: a line of JSON, then items, each a line and a payload of as many
/// bytes as the line says, or up to the next line.
struct SentryEnvelope {
  /// Whether bytes begin as an envelope does.
  static func recognises(_ head: [UInt8]) -> Bool {
    var at = 0
    guard let first = line(head, &at), let item = line(head, &at) else { return false }
    return isHead(first) && item["type"]?.string != nil
  }

  private static func isHead(_ json: JSON) -> Bool {
    json.isObject && (json.members.isEmpty || Sentry.isEnvelopeLine(json))
  }

  /// The payloads that tell of a failure; the others of its kinds are sessions, measurements and files.
  static func events(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var at = 0
    _ = line(bytes, &at)
    var events: [ArraySlice<UInt8>] = []
    while at < bytes.count, events.count < 10_000 {
      guard let head = line(bytes, &at) else { continue }
      let start = at
      if let length = head["length"]?.integer, length >= 0, length <= bytes.count - at {
        at += length
      } else {
        at = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      }
      if head["type"]?.string == "event" { events.append(bytes[start..<at]) }
      if at < bytes.count, bytes[at] == UInt8(ascii: "\n") { at += 1 }
    }
    return events
  }

  /// The document in the line at a place, which moves on to the next.
  private static func line(_ bytes: [UInt8], _ at: inout Int) -> JSON? {
    let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    defer { at = min(end + 1, bytes.count) }
    return JSON(bytes[at..<end])
  }
}
