import IncidentModel

/// A wait or an endless loop in code that a fix would move: either would block the target queue.
struct Standstill {
  /// The function that contains the wait; empty if the moved code itself contains it.
  private let function: String
  private let place: CodePlace
  private let isEndless: Bool

  /// Finds the first wait in a range of `body`, in the functions that the range called according to
  /// the stack, and in further functions of the same files that these functions call.
  init?(in body: SwiftBody, _ range: Range<Int>? = nil, calling links: [StackReading.Link]) {
    let range = range ?? body.start..<body.block.close
    if let found = Self.find(in: body.text, range, body.path, "") {
      self = found
      return
    }
    let called = links.compactMap { SwiftBody($0.frame.place) }
    var ahead = called.map { ($0.text, $0.start..<$0.block.close, $0.path, $0.title) }
    var texts = [(body.text, body.path)]
    for other in called where !texts.contains(where: { $0.1 == other.path }) {
      texts.append((other.text, other.path))
    }
    var names = Self.called(in: Self.ownCode(in: body.text, range))
    var known: Set<String> = []
    while known.count < Self.most {
      if let (text, range, path, title) = ahead.popLast() {
        if let found = Self.find(in: text, range, path, title) {
          self = found
          return
        }
        names.formUnion(Self.called(in: Self.ownCode(in: text, range)))
      } else if let name = names.subtracting(known).min() {
        known.insert(name)
        for (text, path) in texts {
          ahead += text.blocks.filter { $0.kind == .function && SwiftBody.name(of: $0) == name }
            .map { (text, $0.open + 1..<$0.close, path, SwiftBody.title(of: $0, text)) }
        }
      } else {
        return nil
      }
    }
    return nil
  }

  /// The maximum number of functions to search.
  private static let most = 64

  private init(_ function: String, _ place: CodePlace, isEndless: Bool) {
    self.function = function
    self.place = place
    self.isEndless = isEndless
  }

  private static func find(
    in text: SwiftText, _ range: Range<Int>, _ path: String, _ function: String
  ) -> Standstill? {
    let code = ownCode(in: text, range)
    var start = range.lowerBound
    for part in code.split(separator: "\n", omittingEmptySubsequences: false) {
      let whole = start..<start + part.utf8.count
      start = whole.upperBound + 1
      let isEndless = isEndless(part, at: whole, text)
      guard isEndless || waits(part) else { continue }
      let place = CodePlace(
        function: function, module: "", file: path, line: text.line(of: whole.lowerBound))
      return Standstill(function, SourceLine.added(to: place), isEndless: isEndless)
    }
    return nil
  }

  /// Returns the code without closures that run elsewhere: the enclosing code does not wait for
  /// them.
  private static func ownCode(in text: SwiftText, _ range: Range<Int>) -> String {
    var bytes = Array(text.code[range])
    for block in text.blocks where range.contains(block.open) && runsElsewhere(block) {
      for place in block.open...min(block.close, range.upperBound - 1)
      where bytes[place - range.lowerBound] != UInt8(ascii: "\n") {
        bytes[place - range.lowerBound] = UInt8(ascii: " ")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // Static, because a literal in a function is parsed on each call. `Regex` is not `Sendable`, but
  // these values are immutable.
  nonisolated(unsafe) private static let wait =
    /\.wait\(|\bu?sleep\(|\.sync\s*[({]|\.wait[A-Z]\w*\(|pthread_(join|cond_wait)\(|(?:^|[^.\w])(poll|epoll_wait|select|accept|recv|pause)\(|readLine\(/
  nonisolated(unsafe) private static let endlessCall =
    /\bdispatchMain\(\)|RunLoop\.\w+\.run\(|\bRunLoopRun\(/
  nonisolated(unsafe) private static let call = /([A-Za-z_]\w*)\(/

  private static func waits(_ code: Substring) -> Bool {
    guard code.utf8.contains(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ".") }) else {
      return false
    }
    return code.contains(wait) && !code.words.contains("await")
  }

  private static func isEndless(_ code: Substring, at part: Range<Int>, _ text: SwiftText) -> Bool {
    let words = code.words
    if words.contains(where: { ["dispatchMain", "RunLoop", "RunLoopRun"].contains($0) }),
      code.contains(endlessCall)
    {
      return true
    }
    guard words.contains("while"), words.contains("true"),
      let loop = text.blocks.first(where: { $0.kind == .control && part.contains($0.open) })
    else { return false }
    let inside = text.codeText(loop.open..<loop.close).words
    return !inside.contains("break") && !inside.contains("return")
  }

  /// True if the code around a closure continues without waiting for the closure.
  private static func runsElsewhere(_ block: SwiftText.Block) -> Bool {
    guard block.kind == .closure else { return false }
    return block.header.words.contains {
      ["async", "asyncAfter", "Task", "addTask", "notify", "execute", "submit", "detachNewThread"]
        .contains($0)
    }
  }

  private static func called(in code: String) -> Set<String> {
    Set(code.matches(of: call).map { String($0.1) })
  }

  /// The reason not to send all of the code to a queue, as the last clause of a sentence.
  var why: String {
    let position = place.shortPosition ?? ""
    let line = place.source.map { " (“\($0)”)" } ?? ""
    if isEndless {
      return
        "\(function.isEmpty ? "the code" : function) never returns from \(position)\(line), and would block "
        + "all later work forever"
    }
    let wait = function.isEmpty ? "the code waits" : "the code waits in \(function)"
    return "\(wait) at \(position)\(line), and all later work would wait too"
  }

  /// Returns the advice to send only a part of the function `name` to `home`, in place of a hop of
  /// the whole function.
  func fix(sending name: String, to home: String) -> Finding.Fix {
    Finding.Fix("Send to \(home) only the calls that belong there, not all of \(name): \(why).")
  }
}
