import CWalkPeers
import Dispatch
import Foundation

/// A place to walk from: its name, how many frames to ask for, and how to get there.
struct Place {
  let name: String
  let capacity: Int
  let visit: (@escaping () -> Void) -> Void

  static var all: [Place] {
    [16, 32].flatMap { frames in
      [true, false].map { keepsPointers in
        Place(
          name: "\(frames) frames \(keepsPointers ? "with" : "without") frame pointers",
          capacity: frames,
          visit: { descend(frames, keepsPointers, $0) })
      }
    } + [
      Place(name: "map in DispatchQueue.sync", capacity: 16) { body in
        _ = [1].map { _ in DispatchQueue(label: "walk").sync { body() } }
      },
      Place(name: "sort on a Dispatch worker", capacity: 16) { body in
        let work = Work(body)
        DispatchQueue.global().async(group: work.group) { work.sort() }
        work.group.wait()
      },
      Place(name: "encode(to:) in JSONEncoder", capacity: 32) { body in
        Encoded.body = body
        _ = try? JSONEncoder().encode([Encoded()])
      },
    ]
  }
}

func descend(_ frames: Int, _ keepsPointers: Bool, _ body: @escaping () -> Void) {
  var body = body
  withUnsafeMutablePointer(to: &body) { pointer in
    bench_descend(
      keepsPointers, UInt32(frames),
      { $0!.assumingMemoryBound(to: (() -> Void).self).pointee() }, pointer)
  }
}

private final class Work: @unchecked Sendable {
  let group = DispatchGroup()
  private let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }

  func sort() {
    var isFirst = true
    _ = [2, 1].sorted { left, right in
      if isFirst { body() }
      isFirst = false
      return left < right
    }
  }
}

private struct Encoded: Encodable {
  nonisolated(unsafe) static var body: () -> Void = {}

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(1)
    Self.body()
  }
}
