/// A text that explains reports: its code blocks are examples, not reports.
///
/// A ticket also has reports in code blocks. A ticket says what happened to its author;
/// documentation addresses its reader, announces an example, or contains placeholders.
struct Documentation {
  private let lines: [Substring]

  /// The text without its quoted examples; nil if it quotes none.
  static func withoutExamples(_ text: [UInt8]) -> [UInt8]? {
    guard text.contains(UInt8(ascii: "\n")), mayQuote(text) else { return nil }
    let document = Documentation(String(decoding: text, as: UTF8.self))
    let blocks = document.blocks
    let prose = document.prose(outside: blocks)
    let isForReaders = Self.isForReaders(prose)
    let announces = Self.addresses(prose) && !Self.incident.contains(where: prose.contains)
    let examples = blocks.filter { block in
      isForReaders || document.isTemplate(block) || announces && document.isAnnounced(block)
    }
    let taken = Set(examples.joined())
    guard taken.contains(where: { !document.lines[$0].isEmpty }) else { return nil }
    // Sentences also quote examples in back ticks.
    let kept = document.lines.enumerated().map { place, line in
      taken.contains(place) ? "" : withoutSpans(line)
    }
    return Array(kept.joined(separator: "\n").utf8)
  }

  /// The line without its code spans.
  private static func withoutSpans(_ line: Substring) -> Substring {
    guard line.contains("`") else { return line }
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: " ")[
      ...]
  }

  /// True if the text may contain code blocks: a fence, or indented code of Markdown or
  /// reStructuredText. Rejects most texts cheaply.
  private static func mayQuote(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      ["```", "~~~", ":\n\n    ", ":\n\n\t", "::\n"].contains { mark in
        var mark = mark
        return mark.withUTF8 { bytes.offset(of: $0) != nil }
      }
    }
  }

  private init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The line range of each code block: a fenced block, or an indented block below a paragraph that
  /// ends in a colon.
  private var blocks: [Range<Int>] {
    var blocks: [Range<Int>] = []
    var at = 0
    while at < lines.count {
      let line = lines[at].trimmed
      if let fence = ["```", "~~~"].first(where: line.hasPrefix) {
        let end = lines[(at + 1)...].firstIndex { $0.trimmed.hasPrefix(fence) } ?? lines.count
        blocks.append(at + 1..<max(at + 1, end))
        at = end + 1
      } else if line.hasSuffix(":"), Self.indent(lines[at]) == 0, at + 2 < lines.count,
        lines[at + 1].trimmed.isEmpty, Self.indent(lines[at + 2]) >= 4
      {
        let end =
          lines[(at + 2)...].firstIndex { !$0.trimmed.isEmpty && Self.indent($0) == 0 }
          ?? lines.count
        blocks.append(at + 2..<end)
        at = end
      } else {
        at += 1
      }
    }
    return blocks
  }

  private static func indent(_ line: Substring) -> Int {
    line.first == "\t" ? 4 : line.utf8.prefix { $0 == 32 }.count
  }

  private func prose(outside blocks: [Range<Int>]) -> String {
    let taken = Set(blocks.joined())
    return " "
      + lines.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
      .joined(separator: " ").lowercased() + " "
  }

  /// True if a text addresses its reader, and its author describes neither himself nor an incident.
  private static func isForReaders(_ prose: String) -> Bool {
    let addresses = [" you ", " your ", " you'll ", " you’ll "].reduce(0) { count, word in
      count + prose.ranges(of: word).count
    }
    return addresses >= 3 && !told.contains(where: prose.contains)
      && !incident.contains(where: prose.contains)
  }

  /// True if a text advises its reader.
  private static func addresses(_ prose: String) -> Bool {
    if ["you", "your"].contains(where: { prose.contains(" \($0) ") }) { return true }
    // A sentence follows a period, a paragraph follows a blank line.
    return ["use", "call", "wrap", "avoid", "make sure", "do not", "don't", "never"].contains {
      prose.contains(". \($0) ") || prose.contains("  \($0) ")
    }
  }

  private static let told = [
    " i ", " i'm ", " i’m ", " i've ", " i’ve ", " i'd ", " my ", " we ", " our ", " me ", " us ",
  ]
  private static let incident = [
    "steps to reproduce", "reproduc", "expected behavio", "actual behavio", "what happened",
    "version:", "device:", "ticket", "reported by", "customer", "regards", "subject:", "hello",
    "hi,",
    "attached",
  ]

  /// True if a block contains placeholders: `<pid>`, `<your thread>`, `Board.java:…)`.
  private func isTemplate(_ block: Range<Int>) -> Bool {
    lines[block].contains { line in
      Self.places.contains(where: line.contains)
    }
  }

  private static let places = [
    "<pid>", "<tid>", "<your", "<thread", "<package", "<app", "<process", "<class>", "<file>",
    "<line>", "<message>", "<address>", "<queue", "<timestamp>", "<date>", ":…)", ":...)", ":NN)",
    ":XX)", "<YOUR", "{{",
  ]

  /// True if the paragraph above a block announces an example.
  private func isAnnounced(_ block: Range<Int>) -> Bool {
    let above = lines[..<max(0, block.lowerBound - 1)].suffix(6)
    let paragraph =
      above.reversed().drop { $0.trimmed.isEmpty }.prefix { !$0.trimmed.isEmpty }.reversed()
    let said = " " + paragraph.joined(separator: " ").lowercased() + " "
    guard !Self.told.contains(where: said.contains) else { return false }
    return Self.announcements.contains(where: said.contains)
  }

  private static let announcements = [
    "something like", "looks like this", "look like this", "looks as follows", "look as follows",
    "typical", "such as", "for example", "for instance", "you will see", "you'll see",
    "you may see", "you might see", "you would see", "will look", "would look",
  ]
}
