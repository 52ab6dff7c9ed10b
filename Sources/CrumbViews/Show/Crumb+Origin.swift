import IncidentModel

extension Crumb {
  private static let originKey = "origin"
  private static let originStackKey = "originStack"

  /// The stack of the place that sent the code which left this crumb, if that was recorded.
  var originStack: Stack? {
    guard case .string(let text)? = self[Self.originStackKey] else { return nil }
    return Stack(origin: text)
  }

  /// What that place is in words; nil without its stack.
  var originHeading: String? {
    guard originStack != nil else { return nil }
    return originPlace.map { data[$0].value.description } ?? "sent from"
  }

  /// Where in the data the origin stands whose stack follows.
  private var originPlace: Int? {
    guard let stack = data.firstIndex(where: { $0.key == Self.originStackKey }) else { return nil }
    return data[..<stack].lastIndex { $0.key == Self.originKey }
  }

  /// The data without what is shown as a stack.
  var dataBesidesStacks: [(key: String, value: CrumbValue)] {
    originStack == nil ? data : data.filter { $0.key != Self.originStackKey }
  }

  /// The data without what is shown as a stack and its heading.
  var dataBesidesOrigin: [(key: String, value: CrumbValue)] {
    var data = data
    if originStack != nil, let heading = originPlace { data.remove(at: heading) }
    return originStack == nil ? data : data.filter { $0.key != Self.originStackKey }
  }
}

extension Stack {
  /// A stack that a crumb's data carry as text: return addresses, hexadecimal, innermost first.
  init?(origin text: String) {
    var frames: [FrameAddress] = []
    for word in text.split(separator: " ") {
      guard let address = UInt64(word, radix: 16) else { return nil }
      frames.append(.returnAddress(address))
    }
    guard !frames.isEmpty else { return nil }
    self.init(frames: frames, end: .complete)
  }
}
