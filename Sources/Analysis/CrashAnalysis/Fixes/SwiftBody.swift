import IncidentModel

/// A function or closure in its source, parsed far enough to move its statements.
struct SwiftBody {
  let path: String
  let text: SwiftText
  let block: SwiftText.Block
  let place: CodePlace
  let name: FunctionName
  /// The text between a closure's brace and its statements: `[weak self] rows in`.
  let signature: String
  /// The offset of the body's first statement.
  let start: Int

  /// Finds the body of the function at `place`.
  ///
  /// - Returns: nil if the source is not available, or if the start of the body is ambiguous.
  init?(_ place: CodePlace) {
    guard let path = place.file, path.hasSuffix(".swift"), let line = place.line,
      let text = SwiftFiles.shared.text(at: path), let beginning = text.beginning(ofLine: line)
    else { return nil }
    let name = FunctionName(place.function)
    let found =
      name.isClosure
      ? Self.closure(name, from: beginning, line, text) : Self.function(name, beginning, line, text)
    guard let block = found, let (signature, start) = Self.signature(of: block, text) else {
      return nil
    }
    self.init(
      path: path, text: text, block: block, place: place, name: name, signature: signature,
      start: start)
  }

  private init(
    path: String, text: SwiftText, block: SwiftText.Block, place: CodePlace, name: FunctionName,
    signature: String, start: Int
  ) {
    self.path = path
    self.text = text
    self.block = block
    self.place = place
    self.name = name
    self.signature = signature
    self.start = start
  }

  /// Returns another function of the same type.
  func neighbour(_ block: SwiftText.Block) -> SwiftBody {
    SwiftBody(
      path: path, text: text, block: block, place: place, name: name, signature: "",
      start: block.open + 1)
  }

  /// The delegate methods next to this one. By convention, a delegate's methods have the caller as
  /// their first parameter, and are named after the caller or the event. A private method of the
  /// type may have the same first parameter.
  var otherMethodsOfDelegate: [SwiftBody] {
    guard let type, let caller = Self.firstParameter(of: block) else { return [] }
    let name = Self.name(of: block)
    return text.blocks.filter { other in
      other.kind == .function && other.open != block.open
        && text.blocks(around: other.open).first?.open == type.open
        && Self.firstParameter(of: other) == caller && !other.header.words.contains("private")
        && (Self.name(of: other) == name || Self.soundsLikeDelegate(other))
    }.map(neighbour)
  }

  /// The type of a function's first parameter.
  private static func firstParameter(of block: SwiftText.Block) -> String? {
    guard let first = parameters(of: block).first, let colon = first.firstIndex(of: ":") else {
      return nil
    }
    return first[first.index(after: colon)...].trimmed
  }

  /// Returns a function's parameters as written in its header, up to the first closing parenthesis.
  private static func parameters(of block: SwiftText.Block) -> [Substring] {
    guard let open = block.header.firstIndex(of: "(") else { return [] }
    let end = block.header.range(of: " -> ", backwards: true)?.lowerBound
    return block.header[block.header.index(after: open)..<(end ?? block.header.endIndex)]
      .prefix { $0 != ")" }.split(separator: ",")
  }

  /// True if the function's name or a label follows the naming of delegate methods:
  /// `socketDidClose(_:)`.
  private static func soundsLikeDelegate(_ block: SwiftText.Block) -> Bool {
    let labels = parameters(of: block).compactMap { $0.contains(":") ? $0.words.first : nil }
    return ([name(of: block)[...]] + labels).contains { word in
      ["did", "will", "should", "Did", "Will", "Should"].contains { verb in
        word.ranges(of: verb).contains { found in
          word[found.upperBound...].first?.isUppercase == true
        }
      }
    }
  }

  // MARK: Location

  private static func closure(
    _ name: FunctionName, from place: Int, _ line: Int, _ text: SwiftText
  ) -> SwiftText.Block? {
    let depth = name.closureDepth
    let closures = closures(around: place, text)
    if closures.count == depth { return closures.first }
    guard depth > 0, closures.count == depth - 1 else { return nil }
    let opened = text.blocks.filter {
      $0.kind == .closure && text.line(of: $0.open) == line
        && Self.closures(around: $0.open, text).count == depth - 1
    }
    return opened.count == 1 ? opened[0] : nil
  }

  private static func closures(around place: Int, _ text: SwiftText) -> [SwiftText.Block] {
    text.blocks(around: place).prefix { $0.kind == .closure || $0.kind == .control }
      .filter { $0.kind == .closure }
  }

  private static func function(
    _ name: FunctionName, _ place: Int, _ line: Int, _ text: SwiftText
  ) -> SwiftText.Block? {
    let wanted = String(name.last.prefix { $0 != "(" && $0 != "<" })
    guard name.last.contains("(") else { return nil }
    let around = text.blocks(around: place).first { $0.kind == .function }
    let opened = text.blocks.first {
      $0.kind == .function
        && (text.line(of: $0.headerStart)...text.line(of: $0.open)).contains(line)
        && Self.name(of: $0) == wanted
    }
    guard let block = opened ?? around, Self.name(of: block) == wanted else { return nil }
    return block
  }

  /// A function's name without its arguments.
  static func name(of block: SwiftText.Block) -> String {
    let words = SwiftHeader.declaration(block.header)
    let isFunction = words.first == "func" && words.count > 1
    return String((isFunction ? words[1] : words.first ?? "").prefix { $0 != "(" && $0 != "<" })
  }

  /// The function's name with its type, for example `Kiosk.ask`.
  static func title(of block: SwiftText.Block, _ text: SwiftText) -> String {
    let type = text.blocks(around: block.open).first { $0.kind == .type }
    return [typeName(type).map(String.init), name(of: block)].compactMap(\.self)
      .joined(separator: ".")
  }

  /// The name as in the stack.
  var title: String { name.isClosure ? "the closure in \(name.written)" : place.function }

  /// The function itself, or the function that contains the closure.
  var function: SwiftText.Block? {
    text.blocks(around: block.open + 1).first { $0.kind == .function }
  }

  /// True if the function may be called from outside its actor.
  var isNonisolated: Bool { function?.header.words.contains("nonisolated") ?? false }

  /// True if the function returns a value.
  var answersItsCaller: Bool {
    guard let result = function?.header.resultType?.trimmed else { return false }
    return !["Void", "()", ""].contains(result)
  }

  /// Returns a closure's signature and the offset of the signature's end; nil if ambiguous.
  private static func signature(
    of block: SwiftText.Block, _ text: SwiftText
  ) -> (String, Int)? {
    guard block.kind == .closure else { return ("", block.open + 1) }
    var depth = 0
    var place = block.open + 1
    var word: [UInt8] = []
    while place < block.close {
      let byte = text.code[place]
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "{"), UInt8(ascii: ";"), UInt8(ascii: "="): return ("", block.open + 1)
      case UInt8(ascii: "\n") where depth == 0 && !word.elementsEqual("in".utf8):
        return ("", block.open + 1)
      default: break
      }
      let isLetter = UnicodeScalar(byte).properties.isAlphabetic
      if isLetter {
        word.append(byte)
      } else {
        if depth == 0, word.elementsEqual("for".utf8) { return ("", block.open + 1) }
        if depth == 0, word.elementsEqual("in".utf8) {
          return (text.codeText(block.open + 1..<place).trimmed, place)
        }
        word = []
      }
      place += 1
    }
    return ("", block.open + 1)
  }

  // MARK: Contents

  /// The code of the body's statements, with strings and comments blanked out.
  var code: String { text.codeText(start..<block.close) }

  /// The code without nested closures and functions.
  var ownCode: String {
    var bytes = Array(text.code[start..<block.close])
    for inner in text.blocks where inner.open > start && inner.close < block.close {
      guard inner.kind != .control else { continue }
      for place in inner.open...inner.close where bytes[place - start] != UInt8(ascii: "\n") {
        bytes[place - start] = UInt8(ascii: " ")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// True if the body may suspend.
  var isAsync: Bool {
    if signature.words.contains("async") || ownCode.words.contains("await") { return true }
    guard block.kind == .closure else { return block.header.words.contains("async") }
    let words = block.header.prefix { $0 != "(" }.words
    return ["Task", "addTask"].contains(words.last ?? "")
      || words.suffix(2) == ["Task", "detached"]
  }

  /// True if the statements may run after the caller has continued, because no caller waits for
  /// them.
  var mayRunLater: Bool {
    let head = block.kind == .closure ? Substring(signature) : block.header
    let words = head.words
    // Some functions return only after their closure has returned.
    let call = block.kind == .closure ? block.header.prefix { $0 != "(" }.words.last ?? "" : ""
    guard !Self.callsAtOnce.contains(call) else { return false }
    guard !words.contains("async"), !words.contains("throws"), !words.contains("inout"),
      !words.contains("mutating"), !words.contains("rethrows"),
      head.ranges(of: "->").count == head.ranges(of: "-> Void").count,
      head.ranges(of: "->").count <= head.ranges(of: "@escaping").count
        || head.trimmed.hasSuffix("-> Void") && head.ranges(of: "->").count == 1
    else { return false }
    let own = ownCode
    if block.kind == .closure, signature.isEmpty, text.read(start..<block.close).contains("$0") {
      return false
    }
    if !own.words.contains("do"), own.ranges(of: "try ").count > 0 { return false }
    return block.kind != .closure || !answers(own)
  }

  private static let callsAtOnce: Set<Substring> = [
    "sync", "asyncAndWait", "withLock", "withLockIfAvailable", "forEach", "map",
    "concurrentPerform",
    "performAndWait", "assumeIsolated",
  ]

  /// True if a closure may return a value: it contains a `return` with a value, and its last line
  /// is no other statement.
  private func answers(_ own: String) -> Bool {
    let lines = own.split(separator: "\n").map(\.trimmed).filter { !$0.isEmpty }
    let returns = lines.contains { line in
      line.ranges(of: "return").contains { found in
        let rest = line[found.upperBound...].drop { $0 == " " }
        return rest.first.map { $0 != "}" && $0 != ";" } ?? false
      }
    }
    guard returns, let last = lines.last else { return returns }
    return lines.count < 2 || last.hasPrefix("return") || last.hasPrefix("}")
  }

  /// The enclosing type; nil for a free function and for top-level code.
  var type: SwiftText.Block? { text.blocks(around: block.open).first { $0.kind == .type } }

  /// The names that the enclosing type declares in this file.
  private var members: Set<String> {
    var names: Set<String> = []
    for type in text.blocks
    where type.kind == .type && Self.typeName(type) == Self.typeName(self.type) {
      let inner = SwiftBody(
        path: path, text: text, block: type, place: place, name: name, signature: "",
        start: type.open + 1)
      let words = inner.ownCode.words
      for (word, next) in zip(words, words.dropFirst()) where ["let", "var", "func"].contains(word)
      {
        names.insert(String(next))
      }
    }
    return names
  }

  static func typeName(_ block: SwiftText.Block?) -> Substring? {
    let words = block.map { SwiftHeader.declaration($0.header) } ?? []
    return words.dropFirst().first.map { $0.prefix { $0 != ":" && $0 != "<" } }
  }

  /// True if `code`, a part of the body, uses `self`, explicitly or by a member's name.
  func usesSelf(_ code: String) -> Bool {
    guard type != nil, !isStatic else { return false }
    let words = Set(code.words.map(String.init))
    if words.contains("self") { return true }
    let isImplicit = block.kind == .function || signature.contains("[self]")
    return isImplicit && !words.isDisjoint(with: members)
  }

  var isStatic: Bool {
    let function = text.blocks(around: block.open + 1).first { $0.kind == .function }
    return function.map {
      ["static", "class"].contains($0.header.words.first { $0 == "static" || $0 == "class" } ?? "")
    }
      ?? false
  }

  /// True if the enclosing type is a class, as far as this file shows.
  var isInClass: Bool { isIn("class") }

  /// True if the enclosing type is an actor, as far as this file shows.
  var isInActor: Bool { isIn("actor") }

  private func isIn(_ kind: String) -> Bool {
    guard let type else { return false }
    return text.blocks.contains { block in
      block.kind == .type && SwiftHeader.declaration(block.header).first == kind[...]
        && Self.typeName(block) == Self.typeName(type)
    }
  }

  /// True if the code in `range` reads a variable that an enclosing function, or the body before
  /// `range`, declares. A closure that runs elsewhere must not capture such a variable.
  ///
  /// - Parameter held: The captures of that closure.
  func readsVariable(_ range: Range<Int>, but held: [String]) -> Bool {
    let around = text.blocks(around: range.lowerBound).prefix { $0.kind != .type }
    guard let outermost = around.last else { return false }
    // Only declarations before the range: variables that the code itself declares do not count.
    let before = text.codeText(outermost.open..<range.lowerBound)
    var names = Self.variables(before)
    for block in around { names.formUnion(Self.words(before: "inout", in: block.header.words)) }
    // A weak capture is a variable until `let` rebinds its name.
    let words = before.words
    names.formUnion(
      Self.words(after: "weak", in: words).subtracting(Self.words(after: "let", in: words)))
    // A closure's capture by name alone is a copy.
    names.subtract(signature.captured.filter { !$0.contains(" ") })
    names.subtract(held)
    return text.read(range).words.contains { names.contains(String($0)) }
  }

  private static func words(after word: String, in words: [Substring]) -> Set<String> {
    Set(zip(words, words.dropFirst()).filter { $0.0 == word[...] }.map { String($0.1) })
  }

  private static func words(before word: String, in words: [Substring]) -> Set<String> {
    Set(zip(words, words.dropFirst()).filter { $0.1 == word[...] }.map { String($0.0) })
  }

  /// The names of the weak captures in the signature.
  var weaklyCaptured: [String] {
    signature.captured.filter { $0.hasPrefix("weak ") }.compactMap {
      $0.dropFirst(5).words.first.map(String.init)
    }
  }

  /// The names that code declares by `var`.
  private static func variables(_ code: String) -> Set<String> {
    var names: Set<String> = []
    for line in code.split(separator: "\n") {
      for found in line.ranges(of: "var ") {
        let isWord = line[..<found.lowerBound].last.map {
          !$0.isLetter && !$0.isNumber && $0 != "_"
        }
        guard isWord ?? true else { continue }
        // Handles `var (a, b) = …` and `var a = 1, b = 2`.
        for part in line[found.upperBound...].split(separator: ",") {
          if let name = part.words.first { names.insert(String(name)) }
        }
      }
    }
    return names
  }
}

extension FunctionName {
  /// The number of nested closures, including this one; 0 for a function.
  var closureDepth: Int {
    var rest = Substring(text)
    var depth = 0
    while rest.hasPrefix("closure #"), let place = rest.range(of: " in ") {
      depth += 1
      rest = rest[place.upperBound...]
    }
    return rest.hasPrefix("implicit closure") || rest.isEmpty ? 0 : depth
  }
}

extension StringProtocol {
  var trimmed: String { String(withoutTrailingBlanks.drop(while: \.isWhitespace)) }

  var withoutTrailingBlanks: SubSequence {
    lastIndex { !$0.isWhitespace }.map { self[...$0] } ?? self[startIndex..<startIndex]
  }

  /// The text after the arrow of a function's header; nil if it has no result type.
  var resultType: SubSequence? {
    // An arrow within parentheses belongs to a parameter's type.
    var depth = 0
    for at in indices {
      switch self[at] {
      case "(": depth += 1
      case ")": depth -= 1
      case "-" where depth == 0 && self[at...].hasPrefix("->"): return self[at...].dropFirst(2)
      default: break
      }
    }
    return nil
  }

  /// The identifiers and keywords in code.
  var words: [SubSequence] {
    split { !$0.isLetter && !$0.isNumber && $0 != "_" }
  }
}
