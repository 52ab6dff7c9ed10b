/// What is written to `bench.json`, and a line of the table.
struct Result: Encodable {
  var name: String
  var unit: String
  /// The median of the rounds.
  var ours: Double
  var peer: Double?
  var peerName: String?
  /// Ours to the peer's: the median of the rounds' own ratios, which drift does not touch.
  var ratio: Double?
  /// The ratio that we want at most.
  var aim: Double?
  var met: Bool?
  /// Half of the distance between the quartiles of the ratio (of ours without a peer), to its median.
  var spread: Double

  init(_ row: Row) {
    name = row.name
    unit = row.unit
    ours = row.ours.median.rounded(toDigits: 4)
    peer = row.peer?.median.rounded(toDigits: 4)
    peerName = row.peerName
    aim = row.aim
    var judged = row.ours.values
    if let peer = row.peer {
      let ratios =
        peer.values.count == judged.count
        ? zip(judged, peer.values).map { $0 / $1 } : [row.ours.median / peer.median]
      judged = ratios.filter(\.isFinite)
      ratio = judged.isEmpty ? nil : judged.median.rounded(toDigits: 4)
    }
    if let ratio, let aim { met = ratio <= aim }
    spread = row.spread ?? Self.spread(of: judged)
  }

  private static func spread(of figures: [Double]) -> Double {
    guard !figures.isEmpty, figures.median != 0 else { return 0 }
    let halfDistance = (figures.quantile(0.75) - figures.quantile(0.25)) / 2
    return (halfDistance / figures.median).rounded(toDigits: 2)
  }

  private enum CodingKeys: CodingKey {
    case name, unit, ours, peer, peerName, ratio, aim, met, spread
  }

  /// Writes every key, so that a reader finds null and not nothing.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(unit, forKey: .unit)
    try container.encode(ours, forKey: .ours)
    try container.encode(peer, forKey: .peer)
    try container.encode(peerName, forKey: .peerName)
    try container.encode(ratio, forKey: .ratio)
    try container.encode(aim, forKey: .aim)
    try container.encode(met, forKey: .met)
    try container.encode(spread, forKey: .spread)
  }
}

extension Double {
  /// The value to so many significant digits.
  func rounded(toDigits digits: Int) -> Double {
    guard isFinite, self != 0 else { return self }
    var scale = 1.0
    var magnitude = magnitude
    while magnitude >= 10 { (magnitude, scale) = (magnitude / 10, scale / 10) }
    while magnitude < 1 { (magnitude, scale) = (magnitude * 10, scale * 10) }
    for _ in 1..<digits { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
