/// One line of a benchmark program's output, as `harness/Row.swift` writes it.
struct Row: Decodable {
  var name: String
  var unit: String
  var ours: Rounds
  var peer: Rounds?
  var peerName: String?
  var aim: Double?
  /// What a program that took the medians itself says of them.
  var spread: Double?

  /// A figure for each round; a program that has only one figure may give just that.
  struct Rounds: Decodable {
    let values: [Double]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Double.self) {
        values = [value]
      } else {
        values = try container.decode([Double].self)
      }
      guard !values.isEmpty else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no figures")
      }
    }

    var median: Double { values.median }
  }
}

extension [Double] {
  /// The value at a share of the way through the sorted values, between two of them where it falls so.
  func quantile(_ share: Double) -> Double {
    let sorted = sorted()
    let position = share * Double(count - 1)
    let lower = Int(position)
    let upper = Swift.min(lower + 1, count - 1)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
  }

  var median: Double { quantile(0.5) }
}
