import CrashAnalysis
import FoundationEssentials
import IncidentModel

/// Tampers with what `crashscan summarize` wrote.
package enum PartMutation {
  private enum Kind {
    case bits, cut, numbers, strings, repeated, nested, spliced
  }

  /// Those that leave a summary come up more often than those that leave nothing to decode.
  private static let kinds: [Kind] =
    [.bits, .cut, .repeated, .nested, .spliced]
    + Array(repeating: .numbers, count: 8) + Array(repeating: .strings, count: 8)

  /// The part with a few things changed, the same for the same generator.
  ///
  /// Its findings are named by their fingerprints again, without which it would be refused, where it
  /// still is a summary.
  package static func mutated(
    _ part: [UInt8], with other: [UInt8], _ random: inout SplitMix
  ) -> [UInt8] {
    var bytes = part
    for _ in 0..<Int.random(in: 1...3, using: &random) where bytes.count > 64 {
      change(&bytes, other, &random)
    }
    return renamed(bytes) ?? bytes
  }

  private static func change(
    _ bytes: inout [UInt8], _ other: [UInt8], _ random: inout SplitMix
  ) {
    let at = Int.random(in: 0..<bytes.count, using: &random)
    switch kinds.randomElement(using: &random)! {
    case .bits: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case .cut: if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeSubrange(at...) }
    case .numbers:
      replaceNumber(&bytes, &random)
    case .strings:
      replaceString(&bytes, &random)
    case .repeated:
      let end = min(bytes.count, at + Int.random(in: 1...4096, using: &random))
      bytes.insert(contentsOf: Array(bytes[at..<end]), at: at)
    case .nested:
      let depth = Int.random(in: 1...20_000, using: &random)
      bytes.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "["), count: depth), at: at)
    case .spliced:
      bytes = Array(bytes[..<at] + other[min(at, other.count)...])
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Replaces a number that stands for itself, not digits within a text.
  private static func replaceNumber(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    let from = Int.random(in: 0..<bytes.count, using: &random)
    let colon = bytes.indices[from...].dropLast().first {
      bytes[$0] == UInt8(ascii: ":") && isDigit(bytes[$0 + 1])
    }
    guard let colon else { return }
    let end = bytes[(colon + 1)...].firstIndex { !isDigit($0) } ?? bytes.count
    bytes.replaceSubrange(colon + 1..<end, with: Array(random.number.utf8))
  }

  /// Replaces a text that is a member's value, and no key.
  private static func replaceString(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    let quote = UInt8(ascii: "\"")
    let from = Int.random(in: 0..<bytes.count, using: &random)
    let colon = bytes.indices[from...].dropLast().first {
      bytes[$0] == UInt8(ascii: ":") && bytes[$0 + 1] == quote
    }
    guard let start = colon.map({ $0 + 1 }),
      let end = bytes.indices[(start + 1)...].first(where: {
        bytes[$0] == quote && bytes[$0 - 1] != UInt8(ascii: "\\")
      }),
      let text = try? JSONEncoder().encode(Extremes.texts.randomElement(using: &random)!)
    else { return }
    bytes.replaceSubrange(start...end, with: Array(text))
  }

  // MARK: Making names right again

  private struct Loose: Codable {
    var schema: String
    var logs: [String: RecordingSummary]
    var examples: [String: Finding]
  }

  private static func renamed(_ bytes: [UInt8]) -> [UInt8]? {
    guard var summary = try? JSONDecoder().decode(Loose.self, from: Data(bytes)) else { return nil }
    var names: [String: String] = [:]
    for (name, finding) in summary.examples { names[name] = finding.fingerprint }
    summary.examples = Dictionary(
      summary.examples.values.map { ($0.fingerprint, $0) }, uniquingKeysWith: { one, _ in one })
    for log in summary.logs.keys {
      guard let counts = summary.logs[log]?.counts else { continue }
      summary.logs[log]?.counts = Dictionary(
        counts.map { (names[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { one, _ in one })
    }
    return (try? JSONEncoder().encode(summary)).map { Array($0) }
  }
}

extension SplitMix {
  fileprivate var number: String {
    mutating get {
      [
        "0", "1", "2", "-1", "4294967296", "4611686018427387904", "9223372036854775806",
        "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e999",
      ].randomElement(using: &self)!
    }
  }
}
