import IncidentModel
import CLogFormat

/// The key of the finding that a rule has already created for each source place.
struct SiteKeys {
  private var keys: [Int: FindingKey] = [:]
  private let most = 1 << 16

  subscript(site: Int) -> FindingKey? { keys[site] }

  mutating func add(_ key: FindingKey, at site: Int) {
    if keys.count < most { keys[site] = key }
  }

  /// Returns a hash of the place in an event: its `at` field, else its message.
  static func hash(_ event: Event) -> Int {
    for (key, value) in EventData(bytes: event.dataBytes) where key.isEqual(to: MS_KEY_SITE) {
      return value.bytes.contentHash
    }
    return event.messageBytes.contentHash
  }
}
