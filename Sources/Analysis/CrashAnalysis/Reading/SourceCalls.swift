import IncidentModel

/// The calls of a method in a Swift source file: further lines that resume or signal.
struct SourceCalls {
  struct Call {
    /// The calling function and line.
    let place: CodePlace
    /// The call whose argument is the nearest enclosing closure, for example `Task.detached`; empty
    /// outside closures.
    let closureOf: String
    /// True if the call is in a loop within that closure or function.
    let isInLoop: Bool
    fileprivate let at: Int
  }

  private let text: SwiftText
  private let path: String
  private let module: String

  /// Reads the file of a place.
  ///
  /// - Returns: nil if the source of the place is not available, or if its brackets do not match.
  init?(near place: CodePlace) {
    guard let path = place.file, path.hasSuffix(".swift"),
      let text = SwiftFiles.shared.text(at: path)
    else { return nil }
    self.text = text
    self.path = path
    module = place.module
  }

  /// Returns the calls of these methods, in order.
  ///
  /// - Parameter name: The variable on which they are called; nil for any.
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

  /// Returns the calls in functions of this name, in the form of `#function`: `load(from:)`.
  func calls(_ calls: [Call], in function: String) -> [Call] {
    let blocks = blocks(of: function)
    return calls.filter { call in blocks.contains { $0.open < call.at && call.at < $0.close } }
  }

  /// True if the file passes the group to a queue, whose work then leaves the group: `group: name`.
  func givesGroup(_ name: Substring) -> Bool {
    String(decoding: text.code, as: UTF8.self).ranges(of: "group: \(name)").count > 0
  }

  /// True if functions of this name only resume a continuation, and neither store it nor pass it
  /// on.
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

  /// Returns the place where a function of this name creates its continuation; nil unless exactly
  /// one line does.
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

  /// True for `withCheckedContinuation` and similar functions.
  static func makesContinuation(_ word: Substring) -> Bool {
    word.hasPrefix("with") && word.hasSuffix("Continuation")
  }

  private func blocks(of function: String) -> [SwiftText.Block] {
    let name = function.prefix { $0 != "(" }
    return text.blocks.filter { $0.kind == .function && SwiftBody.name(of: $0)[...] == name }
  }
}

/// The places where the source creates and resumes a misused continuation.
struct ContinuationSource {
  /// The place that creates the continuation; nil if unknown.
  let made: CodePlace?
  /// Every call that may resume the continuation: the calls in the function that creates it if
  /// `isWhole`, else all calls in the file.
  let resumes: [CodePlace]
  /// True if the function resumes the continuation and does not pass it on, so that no other code
  /// can resume it.
  let isWhole: Bool
  /// True if each resume is in the closure that received the continuation, outside nested closures
  /// and loops.
  let areInItsOwnClosure: Bool

  /// Finds the creation and the resumes.
  ///
  /// - Parameters:
  ///   - function: The function's name in the runtime's message.
  ///   - places: The places on the message's stack, nearest first.
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

  /// Returns the function in a runtime message about a continuation: `load()` in `SWIFT TASK
  /// CONTINUATION MISUSE: load() leaked its continuation`.
  static func function(in message: String, before words: String) -> String? {
    guard let start = message.range(of: "CONTINUATION MISUSE: "),
      let end = message.range(of: words), start.upperBound < end.lowerBound
    else { return nil }
    return String(message[start.upperBound..<end.lowerBound])
  }
}
