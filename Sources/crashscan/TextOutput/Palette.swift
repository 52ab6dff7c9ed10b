/// The role of a piece of text, which determines its color.
package enum TextRole: Sendable {
  case heading, quiet, plain, good, caution, alarm, fatal, function, place
}

/// Colors text by its role, or leaves it plain.
package struct Palette: Sendable {
  private let isColoured: Bool

  package static let plain = Palette(isColoured: false)
  package static let coloured = Palette(isColoured: true)

  package func callAsFunction(_ text: VisibleText, _ role: TextRole) -> VisibleText {
    guard isColoured, !text.isEmpty, let code = role.code else { return text }
    return text.between(code, "\u{1B}[0m")
  }
}

extension TextRole {
  fileprivate var code: StaticString? {
    switch self {
    case .plain: nil
    case .heading: "\u{1B}[1m"
    case .quiet: "\u{1B}[2m"
    case .good: "\u{1B}[32m"
    case .caution: "\u{1B}[33m"
    case .alarm: "\u{1B}[31m"
    case .fatal: "\u{1B}[1;31m"
    case .function: "\u{1B}[1m"
    case .place: "\u{1B}[36m"
    }
  }
}
