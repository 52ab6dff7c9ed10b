/// Searches the text of a declaration or a type with respect to nested brackets.
enum TypeText {
  /// The index after the bracket that closes the bracket at `start`.
  static func end(ofBracketAt start: Substring.Index, in text: Substring) -> Substring.Index {
    var depth = 0
    var index = start
    while index < text.endIndex {
      depth += step(at: index, in: text)
      index = text.index(after: index)
      if depth == 0 { return index }
    }
    return text.endIndex
  }

  /// The parts of `text` between separators that are outside of all brackets.
  static func split(_ text: Substring, by separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var depth = 0
    var start = text.startIndex
    for index in text.indices {
      depth += step(at: index, in: text)
      if depth == 0 && text[index] == separator {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    parts.append(text[start...])
    return parts.map(\.trimmed).filter { !$0.isEmpty }
  }

  /// The index of `words` outside of all brackets; nil if `words` does not occur there.
  static func find(_ words: String, in text: Substring) -> Substring.Index? {
    var depth = 0
    for index in text.indices {
      if depth == 0 && text[index...].hasPrefix(words) { return index }
      depth += step(at: index, in: text)
    }
    return nil
  }

  private static func step(at index: Substring.Index, in text: Substring) -> Int {
    switch text[index] {
    case "(", "[", "{", "<": 1
    case ")", "]", "}": -1
    // A `>` after `-` is part of an arrow.
    case ">": index > text.startIndex && text[text.index(before: index)] == "-" ? 0 : -1
    default: 0
    }
  }
}

extension Substring {
  /// The text without surrounding spaces.
  var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Removes and returns the first word, which ends before a space or an opening parenthesis.
  mutating func takeWord() -> Substring {
    let word = prefix { $0 != " " && $0 != "(" }
    self = dropFirst(word.count).trimmed
    return word
  }
}
