import RealCases
import Testing

@testable import ThreadAffinity

extension RealCase: CustomTestStringConvertible {
  /// The case in a list of tests.
  public var testDescription: String { name }
}

@Suite("Callbacks known to arrive off the main queue")
struct RealCasesTests {
  final class Model: Sendable {}

  @Test("An observing hop reports each, and says where it was handed over", arguments: RealCase.all)
  func observed(real: RealCase) async throws {
    let caught = Caught()
    let model = Model()
    let policy = caught.policy.repeating(.always)
    let hop = policy.scoped { MainHop(model, "observed", delivery: .observe) }
    let wasOnMain = try await outcome(of: real, through: hop)
    #expect(!wasOnMain)
    let violation = try #require(caught.violations.first)
    #expect(violation.expected == "main queue")
    #expect(violation.origins.map(\.kind) == [.enqueued, .registered])
    #expect(violation.origins[1].site.function.description == "observed(real:)")
    #expect(!violation.place.isMainQueue)
  }

  @Test("Hopped, each runs on the main queue, and breaks nothing", arguments: RealCase.all)
  func hopped(real: RealCase) async throws {
    let caught = Caught()
    let model = Model()
    let hop = caught.policy.scoped { MainHop(model, "hopped") }
    #expect(try await outcome(of: real, through: hop))
    #expect(caught.violations.isEmpty)
  }

  /// Whether the callback, sent through `hop`, ran on the main queue.
  private func outcome(of real: RealCase, through hop: MainHop<Model>) async throws -> Bool {
    let (outcomes, continuation) = AsyncStream.makeStream(of: Bool.self)
    let kept = try real.start {
      hop.send { _ in
        continuation.yield(MainQueue.isCurrent)
        continuation.finish()
      }
    }
    defer { withExtendedLifetime(kept) {} }
    for await outcome in outcomes { return outcome }
    throw CancellationError()
  }
}
