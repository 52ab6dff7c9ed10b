/// `text` with every character that could steer a terminal, or make a line read otherwise than it
/// is, shown as an escape.
package func escapingControls(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var visible = ""
  visible.reserveCapacity(text.utf8.count + 16)
  for scalar in text.unicodeScalars {
    if scalar.steersTerminals {
      visible += scalar.escape
    } else {
      visible.unicodeScalars.append(scalar)
    }
  }
  return visible
}

extension Unicode.Scalar {
  /// Controls of C0 and C1, line and paragraph separators, and invisible marks such as those that
  /// turn the direction of writing. The two joiners stay: scripts and emoji are written with them.
  package var steersTerminals: Bool {
    if value >= 0x20 && value < 0x7F { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return value != 0x200C && value != 0x200D
    default: return false
    }
  }

  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}
