import CShadow
import Dispatch
import Glibc

/// One task's way through the functions below.
struct Trip: @unchecked Sendable {
  let shadow: UnsafeMutablePointer<shadow>
  private(set) var steps: Int
  private var state: UInt64

  init(steps: Int, seed: UInt64) {
    shadow = shadow_begin()
    self.steps = steps
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  mutating func random(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % limit
  }

  /// One step on; nil at the end of the way.
  func onward() -> (trip: Trip, choice: Int)? {
    guard steps > 0 else { return nil }
    var next = self
    next.steps -= 1
    let choice = next.random(20)
    return (next, choice)
  }

  /// For a task of its own.
  func child(_ number: UInt64) -> Trip { Trip(steps: steps / 2, seed: state &+ number) }

  func enter(_ way: Int32) { shadow_enter(shadow, way) }
  func leave() { shadow_leave(shadow) }

  @inline(never) func look() {
    shadow_look(shadow)
    var own = self
    if own.random(8) == 0 { record() }
  }

  private func record() {
    let room = Int(SHADOW_TEXT)
    let message = withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { text in
      _ = shadow_write(shadow, text.baseAddress!)
      return String(cString: text.baseAddress!)
    }
    recorder.record("\(message)", stack: .always)
  }
}

struct Lost: Error {}

/// Every second function of each task: chooses the next.
@inline(never) func way00(_ trip: Trip) async throws -> Int {
  trip.enter(0)
  defer { trip.leave() }
  guard let (next, choice) = trip.onward() else {
    trip.look()
    return 0
  }
  switch choice {
  case 0: return try await way01(next)
  case 1: return try await way02(next)
  case 2: return try await way03(next)
  case 3: return try await way04(next)
  case 4: return try await way05(next)
  case 5: return try await way06(next)
  case 6: return try await Till.shared.way07(next)
  case 7: return try await way08(next)
  case 8: return try await way09(next)
  case 9: return try await way10(next)
  case 10: return try await way11(next)
  case 11: return try await way12(next)
  case 12: return try await way13(next)
  case 13: return try await way14(next, "generic")
  case 14: return try await stage(next.steps % 2 == 0).way15(next)
  case 15: return try await way16(next)
  case 16: return await way17(next)
  case 17: return try await way18(next)
  default: return try await way01(next)
  }
}

@inline(never) func way01(_ trip: Trip) async throws -> Int {
  trip.enter(1)
  defer { trip.leave() }
  trip.look()
  let found = try await way00(trip)
  trip.look()
  return found + 1
}

@inline(never) func way02(_ trip: Trip) async throws -> Int {
  trip.enter(2)
  defer { trip.leave() }
  await Task.yield()
  trip.look()
  return try await way00(trip)
}

@inline(never) func way03(_ trip: Trip) async throws -> Int {
  trip.enter(3)
  defer { trip.leave() }
  var trip = trip
  try await Task.sleep(nanoseconds: UInt64(trip.random(50_000)))
  trip.look()
  return try await way00(trip)
}

/// Goes on at once.
@inline(never) func way04(_ trip: Trip) async throws -> Int {
  trip.enter(4)
  defer { trip.leave() }
  let found = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
    trip.look()
    continuation.resume(returning: 1)
  }
  trip.look()
  return try await found + way00(trip)
}

/// Another thread answers, or fails.
@inline(never) func way05(_ trip: Trip) async throws -> Int {
  trip.enter(5)
  defer { trip.leave() }
  let found = try await withCheckedThrowingContinuation {
    (continuation: CheckedContinuation<Int, any Error>) in
    var trip = trip
    let fails = trip.random(3) == 0
    DispatchQueue.global().async {
      if fails { continuation.resume(throwing: Lost()) } else { continuation.resume(returning: 1) }
    }
  }
  trip.look()
  return try await found + way00(trip)
}

@inline(never) func way06(_ trip: Trip) async throws -> Int {
  trip.enter(6)
  defer { trip.leave() }
  await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
    DispatchQueue.global().async { continuation.resume() }
  }
  trip.look()
  return try await way00(trip)
}

actor Till {
  static let shared = Till()
  private var count = 0

  @inline(never) func way07(_ trip: Trip) async throws -> Int {
    trip.enter(7)
    defer { trip.leave() }
    count += 1
    trip.look()
    return try await way00(trip)
  }
}

/// Two children, one of which may not be waited for.
@inline(never) func way08(_ trip: Trip) async throws -> Int {
  trip.enter(8)
  defer { trip.leave() }
  let (left, right) = (trip.child(1), trip.child(2))
  async let first = way00(left)
  async let second = way00(right)
  trip.look()
  let found = (try? await first) ?? 0
  trip.look()
  if found % 2 == 0 { return found }
  return try await found + second
}

@inline(never) func way09(_ trip: Trip) async throws -> Int {
  trip.enter(9)
  defer { trip.leave() }
  let (left, right) = (trip.child(3), trip.child(4))
  return try await withThrowingTaskGroup(of: Int.self) { group in
    group.addTask { try await way00(left) }
    group.addTask { try await way00(right) }
    trip.look()
    let first = try await group.next() ?? 0
    trip.look()
    group.cancelAll()
    return try await first + way00(trip)
  }
}

/// Who cancels runs the handler, within its own task.
@inline(never) func way10(_ trip: Trip) async throws -> Int {
  trip.enter(10)
  defer { trip.leave() }
  return try await withTaskCancellationHandler {
    trip.look()
    return try await way00(trip)
  } onCancel: {
    shadow_look(nil)
  }
}

@MainActor @inline(never) func way11(_ trip: Trip) async throws -> Int {
  trip.enter(11)
  defer { trip.leave() }
  trip.look()
  return try await way00(trip)
}

@inline(never) func way12(_ trip: Trip) async throws -> Int {
  trip.enter(12)
  defer { trip.leave() }
  let numbers = AsyncStream<Int> { stream in
    stream.yield(1)
    DispatchQueue.global().async {
      stream.yield(2)
      stream.finish()
    }
  }
  var found = 0
  for await number in numbers {
    trip.look()
    found += number
  }
  return try await found + way00(trip)
}

/// Its answer is lost.
@inline(never) func way13(_ trip: Trip) async throws -> Int {
  trip.enter(13)
  defer { trip.leave() }
  await Task.yield()
  trip.look()
  throw Lost()
}

@inline(never) func way14<Value: Sendable>(_ trip: Trip, _ value: Value) async throws -> Int {
  trip.enter(14)
  defer { trip.leave() }
  let found = try await way00(trip)
  trip.look()
  return "\(value)".count + found
}

protocol Stage: Sendable {
  func way15(_ trip: Trip) async throws -> Int
}

struct Narrow: Stage {
  @inline(never) func way15(_ trip: Trip) async throws -> Int {
    trip.enter(15)
    defer { trip.leave() }
    trip.look()
    return try await way00(trip)
  }
}

final class Wide: Stage {
  @inline(never) func way15(_ trip: Trip) async throws -> Int {
    trip.enter(15)
    defer { trip.leave() }
    trip.look()
    return try await way00(trip)
  }
}

@inline(never) func stage(_ isNarrow: Bool) -> any Stage { isNarrow ? Narrow() : Wide() }

/// A task of its own, left alone or waited for.
@inline(never) func way16(_ trip: Trip) async throws -> Int {
  trip.enter(16)
  defer { trip.leave() }
  var trip = trip
  let child = trip.child(5)
  let task = Task { try await way00(child) }
  if trip.random(2) == 0 { task.cancel() }
  trip.look()
  if trip.random(2) == 0 { return 0 }
  return (try? await task.value) ?? 0
}

/// Never fails.
@inline(never) func way17(_ trip: Trip) async -> Int {
  trip.enter(17)
  defer { trip.leave() }
  let found = try? await way00(trip)
  trip.look()
  return found ?? 0
}

@inline(never) func way18(_ trip: Trip) async throws -> Int {
  trip.enter(18)
  defer { trip.leave() }
  return try await handed { try await way00(trip) }
}

@inline(never) func handed(_ body: () async throws -> Int) async throws -> Int { try await body() }
