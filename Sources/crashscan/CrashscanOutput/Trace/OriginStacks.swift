import DeathRecords
import IncidentModel
import CLogFormat

/// Finds the stack that sent the code of a crumb, if it was recorded with the crumb itself or with
/// the arrival of the hop that ran the code. Keeps recent hops only.
struct OriginStacks {
  private struct Arrival {
    var name: String
    var frames: [FrameAddress]
  }

  private var newer: [UInt64: Arrival] = [:]
  private var older: [UInt64: Arrival] = [:]
  private static let most = 1 << 14

  /// Records the arrival of a hop.
  mutating func observe(_ event: Event) {
    guard let hop = event.hop, event.hasStack, event.messageBytes.isEqual(to: MS_WORD_ARRIVAL)
    else {
      return
    }
    if newer.count >= Self.most {
      older = newer
      newer = [:]
    }
    newer[hop] = Arrival(name: event.text(MS_KEY_NAME) ?? "", frames: event.frames)
  }

  /// Returns the stack that sent the code, innermost first, and the way in which it was sent.
  func origin(of event: Event) -> (how: String, frames: [FrameAddress])? {
    if let stack = event.text(MS_KEY_ORIGIN_STACK).flatMap(Stack.init(origin:)) {
      let how = event.text(MS_KEY_ORIGIN).flatMap { OriginText($0)?.how }
      return (how ?? "sent", stack.frames)
    }
    guard event.kind != .hop, let hop = event.hop, let arrival = newer[hop] ?? older[hop] else {
      return nil
    }
    // A hop that ran immediately ran within the sender's call.
    if let caller = arrival.frames.first, event.frames.contains(caller) { return nil }
    return (arrival.name.isEmpty ? "hop" : "hop \(arrival.name)", arrival.frames)
  }
}
