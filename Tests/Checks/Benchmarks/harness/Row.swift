import Foundation

/// One line of a benchmark program's output: a figure per round for Mainstay and for one peer.
///
/// The two alternate, so their n-th figures belong together. `runner` computes medians, the ratio and the spread.
public struct Row: Codable, Sendable {
  /// The measured operation, the number of threads, and the figure.
  public var name: String
  /// The unit of the figures, such as `ns`.
  public var unit: String
  /// Mainstay's figure of each round.
  public var ours: [Double]
  /// The peer's figure of each round; nil if there is no peer.
  public var peer: [Double]?
  /// The name of the peer.
  public var peerName: String?
  /// The largest acceptable ratio of ours to the peer, or without a peer, the largest acceptable figure of ours; nil if
  /// the row only informs.
  public var aim: Double?
  /// True if the aim is the smallest acceptable value instead.
  public var atLeast: Bool

  /// Creates a row from the figures of all rounds.
  public init(
    _ name: String, unit: String = "ns", ours: [Double], peer: [Double]? = nil,
    peerName: String? = nil, aim: Double? = nil, atLeast: Bool = false
  ) {
    self.name = name
    self.unit = unit
    self.ours = ours
    self.peer = peer
    self.peerName = peerName
    self.aim = aim
    self.atLeast = atLeast
  }

  /// Prints the row as one line of JSON.
  public func print() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var line = try encoder.encode(self)
    line.append(UInt8(ascii: "\n"))
    try FileHandle.standardOutput.write(contentsOf: line)
  }
}
