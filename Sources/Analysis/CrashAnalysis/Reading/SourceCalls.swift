import IncidentModel

/// The calls of one method in a file of Swift source: who else resumes, who signals.
struct SourceCalls {
  struct Call {
    /// The function that calls, and the line.
    let place: CodePlace
    /// What the nearest closure around the call was given to, as `Task.detached`; empty where it is in none.
    let closureOf: String
    fileprivate let at: Int
  }

  private let text: SwiftText
  private let path: String
  private let module: String

  /// - Returns: nil where the source of the place is not at hand, or its brackets do not match.
  init?(near place: CodePlace) {
    guard let path = place.file, path.hasSuffix(".swift"),
      let text = SwiftFiles.shared.text(at: path)
    else { return nil }
    self.text = text
    self.path = path
    module = place.module
  }

  /// The calls of these methods, in order.
  ///
  /// - Parameter name: the variable that they are called on; nil for any.
  func calls(of methods: [String], on name: Substring? = nil) -> [Call] {
    var found: [Call] = []
    for line in 1...max(text.lines.count, 1) {
      let code = text.codeText(text.range(ofLine: line))
      for method in methods {
        for dot in code.ranges(of: ".\(method)(") {
          let object = code[..<dot.lowerBound].filter { $0 != "?" && $0 != "!" }
          guard name == nil || object.words.last == name, object.last.map(Self.isLetter) ?? false
          else { continue }
          let offset = code.utf8.distance(from: code.startIndex, to: dot.lowerBound)
          found.append(call(at: text.range(ofLine: line).lowerBound + offset, line))
        }
      }
    }
    return found
  }

  private static func isLetter(_ sign: Character) -> Bool {
    sign.isLetter || sign.isNumber || "_])".contains(sign)
  }

  private func call(at place: Int, _ line: Int) -> Call {
    let around = text.blocks(around: place).filter { $0.kind != .control }
    let function = around.first { $0.kind == .function || $0.kind == .accessor }
    let closure = around.first { $0.kind == .closure }
    let isInClosure = closure.map { $0.open > function?.open ?? -1 } ?? false
    let name = function.map { SwiftBody.title(of: $0, text) } ?? ""
    let closureOf = isInClosure ? closure?.header.prefix { $0 != "(" }.trimmed ?? "" : ""
    return Call(
      place: SourceLine.added(
        to: CodePlace(function: name, module: module, file: path, line: line)),
      closureOf: closureOf, at: place)
  }

  /// The calls in functions of this name, as `#function` has it: `load(from:)`.
  func calls(_ calls: [Call], in function: String) -> [Call] {
    let blocks = blocks(of: function)
    return calls.filter { call in blocks.contains { $0.open < call.at && call.at < $0.close } }
  }

  /// Where a function of this name makes its continuation; nil where not one place does.
  func continuation(of function: String) -> CodePlace? {
    var lines: [Int] = []
    for block in blocks(of: function) {
      for line in text.line(of: block.open)...text.line(of: block.close)
      where text.codeText(text.range(ofLine: line)).contains(/with\w*Continuation\b/) {
        lines.append(line)
      }
    }
    guard lines.count == 1 else { return nil }
    return SourceLine.added(
      to: CodePlace(function: function, module: module, file: path, line: lines[0]))
  }

  private func blocks(of function: String) -> [SwiftText.Block] {
    let name = function.prefix { $0 != "(" }
    return text.blocks.filter { $0.kind == .function && SwiftBody.name(of: $0)[...] == name }
  }
}

/// Both parties of a misused continuation, as the source has them.
struct ContinuationSource {
  /// Where it was made; nil where that is not known.
  let made: CodePlace?
  /// Every call that resumes it, or may: those of its function, else all in the file.
  let resumes: [CodePlace]
  /// Whether each of them is in the closure that was given the continuation, and in none within it.
  let areInItsOwnClosure: Bool

  /// - Parameters:
  ///   - function: as the runtime names it.
  ///   - places: of its stack, the nearest first.
  init?(of function: String, near places: [CodePlace]) {
    let files = places.compactMap { SourceCalls(near: $0) }
    guard let source = files.first(where: { $0.continuation(of: function) != nil }) ?? files.first
    else { return nil }
    made = source.continuation(of: function)
    let all = source.calls(of: ["resume"])
    let own = source.calls(all, in: function)
    let calls = own.isEmpty ? all : own
    resumes = calls.map(\.place)
    areInItsOwnClosure = calls.allSatisfy { $0.closureOf.contains(/with\w*Continuation$/) }
  }

  /// The function that a message about a continuation begins with: `load()` of
  /// `SWIFT TASK CONTINUATION MISUSE: load() leaked its continuation`.
  static func function(in message: String, before words: String) -> String? {
    guard let start = message.range(of: "CONTINUATION MISUSE: "),
      let end = message.range(of: words), start.upperBound < end.lowerBound
    else { return nil }
    return String(message[start.upperBound..<end.lowerBound])
  }
}
