import Foundation

/// One line of a benchmark program's output: ours and one peer, a figure for each round.
///
/// The rounds of both were taken in turn, so the n-th figures of the two belong together.
/// `bench-runner` turns them into medians, the ratio and its spread.
public struct Row: Codable, Sendable {
  /// What was measured: the thing, how many threads, which figure.
  public var name: String
  /// What the figures are, such as `ns`.
  public var unit: String
  /// Our figure of each round.
  public var ours: [Double]
  /// The peer's figure of each round; nil where there is no peer.
  public var peer: [Double]?
  /// What stands beside ours.
  public var peerName: String?
  /// The ratio of ours to the peer that we want at most; nil where the row only informs.
  public var aim: Double?

  /// Makes a row of the figures of all rounds.
  public init(
    _ name: String, unit: String = "ns", ours: [Double], peer: [Double]? = nil,
    peerName: String? = nil, aim: Double? = nil
  ) {
    self.name = name
    self.unit = unit
    self.ours = ours
    self.peer = peer
    self.peerName = peerName
    self.aim = aim
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
