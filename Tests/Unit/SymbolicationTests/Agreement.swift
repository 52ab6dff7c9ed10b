import Foundation
import IncidentModel

/// Compares our answers with llvm-symbolizer's, and sorts the differences into kinds.
struct Agreement {
  /// Where two answers part.
  enum Kind: String, CaseIterable {
    /// One of the two knows nothing of the address.
    case oursOnly, peerOnly
    case frameCount, function, file, line, column
    /// Of a function without debug information llvm-symbolizer names the file that stands last
    /// before its symbol in the table: often another's.
    case fileOfSymbol
  }

  struct Difference {
    var kind: Kind
    var address: UInt64
    var ours: [Peer.Frame]
    var peer: [Peer.Frame]
  }

  /// The addresses that both know something of.
  private(set) var compared = 0
  private(set) var differences: [Difference] = []

  init(addresses: [UInt64], ours: [[SourceFrame]], peer: [[Peer.Frame]]) {
    for (index, address) in addresses.enumerated() {
      let mine = ours[index].map {
        Peer.Frame(
          function: $0.mangledName, file: $0.file ?? "??", line: $0.line ?? 0,
          column: $0.column ?? 0)
      }
      let known = peer[index].first { $0.function != "??" || $0.file != "??" } != nil
      let theirs = known ? peer[index].map(Self.withoutDirectory) : []
      if !mine.isEmpty, !theirs.isEmpty { compared += 1 }
      if let kind = Self.difference(mine, theirs) {
        differences.append(.init(kind: kind, address: address, ours: mine, peer: theirs))
      }
    }
  }

  func count(_ kind: Kind) -> Int { differences.count { $0.kind == kind } }

  /// What the compiler made itself has a name in angle brackets; ours gives it no directory.
  private static func withoutDirectory(_ frame: Peer.Frame) -> Peer.Frame {
    guard let start = frame.file.range(of: "/<")?.lowerBound else { return frame }
    var bare = frame
    bare.file = String(frame.file[frame.file.index(after: start)...])
    return bare
  }

  private static func difference(_ ours: [Peer.Frame], _ peer: [Peer.Frame]) -> Kind? {
    if ours.isEmpty || peer.isEmpty {
      return ours.isEmpty == peer.isEmpty ? nil : ours.isEmpty ? .peerOnly : .oursOnly
    }
    guard ours.count == peer.count else { return .frameCount }
    let pairs = zip(ours, peer)
    if pairs.contains(where: { $0.function != $1.function }) { return .function }
    if pairs.contains(where: { $0.file != $1.file }) {
      return ours.count == 1 && ours[0].file == "??" && peer[0].line == 0 ? .fileOfSymbol : .file
    }
    if pairs.contains(where: { $0.line != $1.line }) { return .line }
    return pairs.contains(where: { $0.column != $1.column }) ? .column : nil
  }
}
