/// Reads the events of a Sentry envelope: a header line in JSON, then items. An item is a header
/// line and a payload, whose length the header gives; without a length, the payload ends at the
/// next line end.
struct SentryEnvelope {
  /// True if the bytes begin with the header lines of an envelope.
  static func recognises(_ head: [UInt8]) -> Bool {
    var at = 0
    guard let first = line(head, &at), let item = line(head, &at) else { return false }
    return isHead(first) && item["type"]?.string != nil
  }

  private static func isHead(_ json: JSON) -> Bool {
    json.isObject && (json.members.isEmpty || Sentry.isEnvelopeLine(json))
  }

  /// The payloads of error events. Other items are sessions, measurements and attachments.
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

  /// Parses the line at `at` as JSON and advances `at` to the next line.
  private static func line(_ bytes: [UInt8], _ at: inout Int) -> JSON? {
    let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    defer { at = min(end + 1, bytes.count) }
    return JSON(bytes[at..<end])
  }
}
