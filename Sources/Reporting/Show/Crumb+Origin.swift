import IncidentModel

extension Crumb {
  private static let originStackKey = "originStack"

  /// Where the callback that left this crumb was sent from, if that was recorded.
  var originStack: Stack? {
    guard case .string(let text)? = self[Self.originStackKey] else { return nil }
    var frames: [FrameAddress] = []
    for word in text.split(separator: " ") {
      guard let address = UInt64(word, radix: 16) else { return nil }
      frames.append(.returnAddress(address))
    }
    return frames.isEmpty ? nil : Stack(frames: frames, end: .complete)
  }

  /// The data without what is shown as a stack.
  var plainData: [(key: String, value: CrumbValue)] {
    originStack == nil ? data : data.filter { $0.key != Self.originStackKey }
  }
}
