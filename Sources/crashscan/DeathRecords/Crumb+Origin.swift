import IncidentModel
import CLogFormat

extension Crumb {
  /// The stack that sent the code of this crumb; nil if it was not recorded.
  package var originStack: Stack? {
    guard case .string(let text)? = self[MS_KEY_ORIGIN_STACK] else { return nil }
    return Stack(origin: text)
  }

  /// The heading of the origin's stack; nil without a stack.
  package var originHeading: String? {
    guard originStack != nil else { return nil }
    return originPlace.map { data[$0].value.description } ?? "sent from"
  }

  /// The index of the origin, in the data, whose stack follows.
  private var originPlace: Int? {
    guard let stack = data.firstIndex(where: { $0.key == MS_KEY_ORIGIN_STACK }) else { return nil }
    return data[..<stack].lastIndex { $0.key == MS_KEY_ORIGIN }
  }

  /// The data without values that are printed as a stack.
  package var dataBesidesStacks: [(key: String, value: CrumbValue)] {
    originStack == nil ? data : data.filter { $0.key != MS_KEY_ORIGIN_STACK }
  }

  /// The data without values that are printed as a stack and its heading.
  package var dataBesidesOrigin: [(key: String, value: CrumbValue)] {
    var data = data
    if originStack != nil, let heading = originPlace { data.remove(at: heading) }
    return originStack == nil ? data : data.filter { $0.key != MS_KEY_ORIGIN_STACK }
  }
}

extension Stack {
  /// Parses a stack in a crumb's data: return addresses in hexadecimal, innermost first.
  package init?(origin text: String) {
    guard let addresses = OriginText.stack(text) else { return nil }
    self.init(frames: addresses.map(FrameAddress.init(word:)), end: .complete)
  }
}
