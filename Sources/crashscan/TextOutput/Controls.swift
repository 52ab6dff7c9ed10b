/// Returns `text` with an escape in place of every character that could control a terminal or
/// disguise a line.
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
  /// True for C0 and C1 controls, line and paragraph separators, and invisible marks such as
  /// directional ones. The two joiners are allowed, because scripts and emoji need them.
  package var steersTerminals: Bool {
    if value >= 0x20 && value < 0x7F { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return value != 0x200C && value != 0x200D
    default: return false
    }
  }

  /// A visible escape such as `\n` or `\u{1B}`.
  var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}
