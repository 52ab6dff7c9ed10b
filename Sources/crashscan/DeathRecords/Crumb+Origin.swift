import IncidentModel
import CLogFormat

extension Crumb {
  /// The stack of the place that sent the code which left this crumb, if that was recorded.
  package var originStack: Stack? {
    guard case .string(let text)? = self[MS_KEY_ORIGIN_STACK] else { return nil }
    return Stack(origin: text)
  }

  /// The heading of the origin's stack; nil without that stack.
  package var originHeading: String? {
    guard originStack != nil else { return nil }
    return originPlace.map { data[$0].value.description } ?? "sent from"
  }

  /// The index in the data of the origin whose stack follows.
  private var originPlace: Int? {
    guard let stack = data.firstIndex(where: { $0.key == MS_KEY_ORIGIN_STACK }) else { return nil }
    return data[..<stack].lastIndex { $0.key == MS_KEY_ORIGIN }
  }

  /// The data without values that are shown as a stack.
  package var dataBesidesStacks: [(key: String, value: CrumbValue)] {
    originStack == nil ? data : data.filter { $0.key != MS_KEY_ORIGIN_STACK }
  }

  /// The data without values that are shown as a stack and its heading.
  package var dataBesidesOrigin: [(key: String, value: CrumbValue)] {
    var data = data
    if originStack != nil, let heading = originPlace { data.remove(at: heading) }
    return originStack == nil ? data : data.filter { $0.key != MS_KEY_ORIGIN_STACK }
  }
}

extension Stack {
  /// A stack that a crumb's data carry as text: return addresses, hexadecimal, innermost first.
  package init?(origin text: String) {
    guard let addresses = OriginText.stack(text) else { return nil }
    self.init(frames: addresses.map(FrameAddress.init(word:)), end: .complete)
  }
}
