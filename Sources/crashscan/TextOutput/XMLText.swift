/// Returns `text` escaped for the content of an XML element. Most control characters have no XML
/// representation and become visible escapes, as on a terminal.
///
/// No line begins with a colon or `#`: a CI system that reads the file from standard output would
/// take `::error` or `##vso[` for a command.
package func escapingXML(_ text: String) -> String {
  var xml = ""
  var beginsLine = true
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n", "\t": xml.unicodeScalars.append(scalar)
    case ":" where beginsLine, "#" where beginsLine: xml += "&#\(scalar.value);"
    default: xml += escaped(scalar)
    }
    beginsLine = scalar == "\n" || beginsLine && scalar.properties.isWhitespace
  }
  return xml
}

/// Returns `text` as a quoted XML attribute value.
package func xmlAttribute(_ text: String) -> String {
  var xml = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    // An XML parser replaces unescaped white space in an attribute with spaces.
    case "\n", "\t": xml += "&#\(scalar.value);"
    default: xml += escaped(scalar)
    }
  }
  return xml + "\""
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "&": "&amp;"
  case "<": "&lt;"
  case ">": "&gt;"
  case "\"": "&quot;"
  // Noncharacters that XML forbids.
  case "\u{FFFE}", "\u{FFFF}": "?"
  default: scalar.steersTerminals ? scalar.escape : String(scalar)
  }
}
