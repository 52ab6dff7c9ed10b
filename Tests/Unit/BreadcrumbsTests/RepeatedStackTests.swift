import CRecorder
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import Breadcrumbs

/// A stack that comes again is not walked again, and is the right one all the same.
@Suite(.serialized) struct RepeatedStackTests {
  private let scratch: Scratch
  private let recorder: BreadcrumbRecorder

  init() throws {
    scratch = try Scratch()
    recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
  }

  /// Leaves crumbs on many stacks, each one often in a row and now and then among others, and keeps
  /// what a walk of its own finds in the same place.
  private final class Wanderer: @unchecked Sendable {  // one thread's at a time
    let recorder: BreadcrumbRecorder
    var walks: [[UInt]] = []

    init(_ recorder: BreadcrumbRecorder) { self.recorder = recorder }

    @inline(never) func wander(_ path: UInt64, _ depth: Int, times: Int) {
      if depth == 0 {
        leave(times, path)
      } else if path & 1 == 0 {
        left(path >> 1, depth - 1, times)
      } else {
        right(path >> 1, depth - 1, times)
      }
    }

    @inline(never) private func left(_ path: UInt64, _ depth: Int, _ times: Int) {
      wander(path, depth, times: times)
      withExtendedLifetime(path) {}
    }

    @inline(never) private func right(_ path: UInt64, _ depth: Int, _ times: Int) {
      [depth].forEach { wander(path, $0, times: times) }
      withExtendedLifetime(path) {}
    }

    @inline(never) private func leave(_ times: Int, _ path: UInt64) {
      for time in 0..<times {
        switch (path ^ UInt64(time)) % 3 {
        case 0: recorder.record("one way", stack: .always)
        case 1: recorder.record("another way", stack: .always)
        default: recorder.record("with data", data: ["time": .integer(time)], stack: .always)
        }
        keepWalk()
      }
    }

    @inline(never) private func keepWalk() {
      var frames = [UInt](repeating: 0, count: 32)
      var end = MS_WALK_COMPLETE
      let count = ms_walk_here(&frames, 32, 1, &end)
      walks.append(Array(frames.prefix(Int(count))))
    }
  }

  @Test func everyCrumbHasTheStackItWasLeftOn() throws {
    let wanderer = Wanderer(recorder)
    for round in 0..<400 {
      let path = UInt64.random(in: 0..<8)
      wanderer.wander(path, round % 7, times: [1, 2, 3, 8, 40][round % 5])
    }
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.count > 1000)
    for (crumb, walk) in zip(crumbs, wanderer.walks.suffix(crumbs.count)) {
      let frames = try #require(crumb.stack).frames.map { UInt($0.word) }
      // The first frame is the same function at another line.
      try #require(frames.count == walk.count && frames.dropFirst() == walk.dropFirst())
    }
  }

  @Test func aThreadThatFollowsAnotherHasItsOwnStacks() throws {
    let wanderers = (0..<20).map { _ in Wanderer(recorder) }
    for wanderer in wanderers {
      runThread { wanderer.wander(.random(in: 0..<8), 5, times: 6) }
    }
    let walks = wanderers.flatMap(\.walks)
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.count == walks.count)
    for (crumb, walk) in zip(crumbs, walks) {
      let frames = try #require(crumb.stack).frames.map { UInt($0.word) }
      #expect(frames.count == walk.count && frames.dropFirst() == walk.dropFirst())
    }
  }

  @Test func aThreadHasRoomForTheWalksItRemembers() {
    #expect(MemoryLayout<ms_walk_memory>.size <= Int(MS_LOG_ROOM))
    #expect(MemoryLayout<ms_walk_memory>.alignment <= 16)
  }
}
