import DeathRecords
import IncidentModel
import CLogFormat

/// Collects the stacks of violations for flame graphs: outermost frame first, with the place that
/// sent the code above the code's own frames.
package final class ViolationFlames {
  /// The violations of one input, in order.
  struct Profile {
    var name: String
    /// Indices into `stacks`, each with the number of violations.
    var samples: [(stack: Int, weight: Int)] = []
    /// The last index of each stack in `samples`, used once the maximum number of samples is
    /// reached.
    fileprivate var last: [Int: Int] = [:]
  }

  private var names: StackNames
  private var origins = OriginStacks()
  private var numbers: [[NamedFrame]: Int] = [:]
  private(set) var stacks: [[NamedFrame]] = []
  private(set) var profiles: [Profile] = []

  // The maximum number of separate samples; further violations with a known stack are added to its
  // last sample.
  private static let mostSamples = 1 << 20
  private static let mostStacks = 1 << 16

  package init(resolver: StackResolver) { names = StackNames(resolver) }

  /// True if no input was added.
  package var isEmpty: Bool { profiles.isEmpty }
  /// True if no input has a violation.
  package var hasNoViolation: Bool { profiles.allSatisfy(\.samples.isEmpty) }

  /// Adds the violations of an input.
  package func add(_ source: any EventSource, input: String) throws {
    names.begin(source)
    origins = OriginStacks()
    var profile = Profile(name: input)
    let batch = EventBatch(queues: source.queues)
    while try source.next(into: batch) {
      for index in 0..<batch.count {
        let event = batch[index]
        if event.kind == .hop { origins.observe(event) }
        if event.kind == .violation { add(number(of: stack(of: event)), to: &profile) }
      }
    }
    profiles.append(profile)
  }

  private func add(_ stack: Int, to profile: inout Profile) {
    if profile.samples.count < Self.mostSamples {
      profile.samples.append((stack, 1))
      return
    }
    if profile.last.isEmpty {
      for (place, sample) in profile.samples.enumerated() { profile.last[sample.stack] = place }
    }
    profile.samples[profile.last[stack] ?? profile.samples.count - 1].weight += 1
  }

  private func number(of stack: [NamedFrame]) -> Int {
    if let number = numbers[stack] { return number }
    let kept = stacks.count < Self.mostStacks ? stack : [NamedFrame(function: "[other stacks]")]
    if let number = numbers[kept] { return number }
    numbers[kept] = stacks.count
    stacks.append(kept)
    return stacks.count - 1
  }

  private func stack(of event: Event) -> [NamedFrame] {
    var frames: [NamedFrame] = []
    if let origin = origins.origin(of: event) {
      frames = names.frames(origin.frames, when: event.monotonic).reversed()
      frames.append(NamedFrame(function: "[\(origin.how)]"))
    }
    let own = names.frames(event.frames, when: event.monotonic)
    return frames + (own.isEmpty ? [place(of: event)] : own.reversed())
  }

  /// Returns the place of the check, for a violation without a stack.
  private func place(of event: Event) -> NamedFrame {
    let function = event.text(MS_KEY_FUNCTION) ?? event.message
    guard let at = event.text(MS_KEY_SITE), let colon = at.lastIndex(of: ":") else {
      return NamedFrame(function: function)
    }
    return NamedFrame(
      function: function, file: String(at[..<colon]), line: Int(at[at.index(after: colon)...]))
  }
}
