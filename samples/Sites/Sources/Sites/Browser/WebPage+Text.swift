extension WebPage {
  /// The page as plain text, with an empty line between its parts.
  var text: String {
    var text = ""
    var last: Block.Kind?
    for block in blocks {
      if let last { text += last == .listItem && block.kind == .listItem ? "\n" : "\n\n" }
      text += block.line
      last = block.kind
    }
    return text
  }
}

extension WebPage.Block {
  fileprivate var line: String {
    switch kind {
    case .heading: "\(text)\n\(String(repeating: "─", count: text.count))"
    case .listItem: "• \(text)"
    case .paragraph, .preformatted: text
    }
  }
}
