import IncidentModel
import CLogFormat

/// Under which key a rule already knows what a place in the source does.
struct SiteKeys {
  private var keys: [Int: FindingKey] = [:]
  private let most = 1 << 16

  subscript(site: Int) -> FindingKey? { keys[site] }

  mutating func add(_ key: FindingKey, at site: Int) {
    if keys.count < most { keys[site] = key }
  }

  /// The place that an event names: its `at`, else its message.
  static func hash(_ event: Event) -> Int {
    for (key, value) in EventData(bytes: event.dataBytes) where key.isEqual(to: MS_KEY_SITE) {
      return value.bytes.contentHash
    }
    return event.messageBytes.contentHash
  }
}
