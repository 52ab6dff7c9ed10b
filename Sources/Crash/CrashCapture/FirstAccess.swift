/// The runtime's message about two simultaneous accesses to one variable: the stack of the second, and the
/// start of the first.
struct FirstAccess {
  /// The runtime's own line, without the first access.
  let complaint: Substring
  /// Such as “the first access, a modification, began here”.
  let manner: String
  /// Hexadecimal.
  let address: String

  /// Nil if the words are about anything else.
  init?(_ words: Substring) {
    let lines = words.split(whereSeparator: \.isNewline)
    let opening = "Previous access ("
    guard let complaint = lines.first,
      let access = lines.dropFirst().first(where: { $0.hasPrefix(opening) }),
      let start = access.lastIndex(of: "("), access[start...].hasPrefix("(0x")
    else { return nil }
    self.complaint = complaint
    address = String(access[start...].dropFirst(3).prefix { $0.isHexDigit })
    let kind = access.dropFirst(opening.count).prefix { $0 != ")" }
    manner = "the first access, \(kind), began here"
  }
}
