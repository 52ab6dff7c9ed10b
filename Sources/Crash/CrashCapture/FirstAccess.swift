/// A message of the runtime about overlapping accesses to a variable, with the start of the first access.
struct FirstAccess {
  /// The first line of the message, which describes the second access.
  let complaint: Substring
  /// A description, such as “the first access, a modification, began here”.
  let manner: String
  /// The code address at which the first access began, in hexadecimal.
  let address: String

  /// Parses a message; nil if the message is not about overlapping accesses.
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
