import IncidentModel

/// The calls of one method in a file of Swift source: further lines that resume or signal.
struct SourceCalls {
  struct Call {
    /// The function that calls, and the line.
    let place: CodePlace
    /// The call that the nearest closure around was given to, as `Task.detached`; empty outside closures.
    let closureOf: String
    /// Whether a loop stands around it, in that closure or function.
    let isInLoop: Bool
    fileprivate let at: Int
  }

  private let text: SwiftText
  private let path: String
  private let module: String

  /// - Returns: nil if the source of the place is not available, or if its brackets do not match.
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
    let all = text.blocks(around: place)
    let isInLoop = all.prefix { $0.kind == .control }.contains { block in
      ["for", "while", "repeat"].contains(block.header.words.first ?? "")
    }
    let around = all.filter { $0.kind != .control }
    let function = around.first { $0.kind == .function || $0.kind == .accessor }
    let closure = around.first { $0.kind == .closure }
    let isInClosure = closure.map { $0.open > function?.open ?? -1 } ?? false
    let name = function.map { SwiftBody.title(of: $0, text) } ?? ""
    let closureOf = isInClosure ? closure?.header.prefix { $0 != "(" }.trimmed ?? "" : ""
    return Call(
      place: SourceLine.added(
        to: CodePlace(function: name, module: module, file: path, line: line)),
      closureOf: closureOf, isInLoop: isInLoop, at: place)
  }

  /// The calls in functions of this name, as `#function` has it: `load(from:)`.
  func calls(_ calls: [Call], in function: String) -> [Call] {
    let blocks = blocks(of: function)
    return calls.filter { call in blocks.contains { $0.open < call.at && call.at < $0.close } }
  }

  /// Whether a queue is given this group, whose wait its work then ends: `group: name`.
  func givesGroup(_ name: Substring) -> Bool {
    String(decoding: text.code, as: UTF8.self).ranges(of: "group: \(name)").count > 0
  }

  /// Whether functions of this name do no more with a continuation than resume it: it is neither stored nor passed on.
  func onlyResume(_ calls: [Call], in function: String) -> Bool {
    blocks(of: function).allSatisfy { block in
      let code = text.codeText(block.open..<block.close)
      let names = Set(
        calls.filter { block.open < $0.at && $0.at < block.close }.map {
          text.codeText(block.open..<$0.at).words.last.map(String.init) ?? ""
        })
      return names.allSatisfy { name in
        code.ranges(of: name).allSatisfy { found in
          let after = code[found.upperBound...]
          let isPart = [after.first, code[..<found.lowerBound].last].contains { sign in
            sign.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
          }
          let use = after.drop { $0 == "?" || $0 == "!" || $0 == " " }
          return isPart || [".resume(", "in ", "in\n", ":"].contains(where: use.hasPrefix)
        }
      }
    }
  }

  /// The place where a function of this name makes its continuation; nil unless exactly one does.
  func continuation(of function: String) -> CodePlace? {
    var lines: [Int] = []
    for block in blocks(of: function) {
      for line in text.line(of: block.open)...text.line(of: block.close)
      where text.codeText(text.range(ofLine: line)).words.contains(where: Self.makesContinuation) {
        lines.append(line)
      }
    }
    guard lines.count == 1 else { return nil }
    return SourceLine.added(
      to: CodePlace(function: function, module: module, file: path, line: lines[0]))
  }

  /// True for `withCheckedContinuation` and its like.
  static func makesContinuation(_ word: Substring) -> Bool {
    word.hasPrefix("with") && word.hasSuffix("Continuation")
  }

  private func blocks(of function: String) -> [SwiftText.Block] {
    let name = function.prefix { $0 != "(" }
    return text.blocks.filter { $0.kind == .function && SwiftBody.name(of: $0)[...] == name }
  }
}

/// Both parties of a misused continuation, as the source has them.
struct ContinuationSource {
  /// The place where it was made; nil if it is not known.
  let made: CodePlace?
  /// Every call that may resume it: those of its function if that does no more with it, else all in the file.
  let resumes: [CodePlace]
  /// Whether its function does no more with it, so that no other code can resume it.
  let isWhole: Bool
  /// Whether each of them is in the closure that was given the continuation, and in no closure or loop within it.
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
    isWhole = !own.isEmpty && source.onlyResume(own, in: function)
    let calls = isWhole ? own : all
    resumes = calls.map(\.place)
    areInItsOwnClosure =
      isWhole
      && calls.allSatisfy {
        !$0.isInLoop && $0.closureOf.words.last.map(SourceCalls.makesContinuation) ?? false
      }
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
