import IncidentModel

/// Formats names for findings.
enum DisplayText {
  /// Returns a function's name within a sentence; a closure is named by its enclosing function.
  static func name(_ place: CodePlace) -> String {
    let name = FunctionName(place.name)
    let position = place.shortPosition.map { " (\($0))" } ?? ""
    guard name.isClosure else {
      return place.name + (place.name.isEmpty ? "code" : "") + position
    }
    return "the closure in \(name.written)\(position)"
  }

  /// Returns the text with a capital letter, for the beginning of a sentence.
  static func capitalized(_ text: String) -> String {
    text.hasPrefix("the ") ? "The" + text.dropFirst(3) : text
  }

  /// Returns a thread's number and name. Dispatch names its workers by the last characters of a
  /// queue's label that fit into 15 bytes: `oot.default-qos`.
  static func thread(_ number: Int, _ name: String) -> String {
    guard IncidentThread.isNumber(number) else {
      if !name.isEmpty { return "thread “\(name)”" }
      return number == IncidentThread.unknown
        ? "a thread that the report does not name" : "a thread"
    }
    if name.isEmpty { return "thread \(number)" }
    return isWorker(name) ? "thread \(number) (Dispatch worker)" : "thread \(number) “\(name)”"
  }

  /// Returns a recorded place, `queue net (thread 41 "-qos.overcommit")`, with `Dispatch worker` in
  /// place of a worker's name.
  static func place(_ recorded: String) -> String {
    recorded.split(separator: "\"", omittingEmptySubsequences: false).enumerated().reduce("") {
      whole, part in
      if part.offset % 2 == 0 { return whole + part.element }
      if isWorker(String(part.element)), whole.hasSuffix(" ") {
        return whole.dropLast() + ", Dispatch worker"
      }
      return whole + "“\(part.element)”"
    }
  }

  static func isWorker(_ name: String) -> Bool {
    name.count >= 10 && (name.hasSuffix("-qos") || name.hasSuffix("-qos.overcommit"))
  }

  /// Returns the lowercase words of at least four letters in a text; camel-case names are split:
  /// `historyGrid`.
  static func parts(of text: String) -> Set<String> {
    var parts: Set<String> = []
    var part = ""
    for sign in text.prefix(1024) + " " {
      if !sign.isLetter || sign.isUppercase && part.last?.isLowercase == true {
        if part.count >= 4 { parts.insert(part.lowercased()) }
        part = ""
      }
      if sign.isLetter { part.append(sign) }
    }
    return parts.subtracting(["thread", "from", "main", "only", "other", "than", "must", "with"])
  }

  static let unnamedQueue = "a queue that the report does not name"

  static func queue(_ label: String?) -> String {
    switch label {
    case nil: "no queue"
    case ""?: "an unnamed queue"
    case "com.apple.main-thread"?: "the main queue"
    case let label?: "queue \(label)"
    }
  }
}

/// Descriptions of a crash for findings.
extension Crash {
  /// The name of the crash.
  var name: String { title ?? SignalName.of(signal) }

  /// Returns the crash in one line, relative to the process with this id.
  func line(in process: Int?) -> String {
    cause(in: process) + (text.isEmpty ? "" : ": \(text)")
  }

  /// Returns the signal, the address of the failed access, and the sender of the signal if that was
  /// another process.
  func cause(in process: Int?) -> String {
    // For other signals the address is the instruction's, which the stack shows better.
    let isAccess = signal == 11 || signal == 7
    var place = isAccess ? self.address.map { " at 0x\(String($0, radix: 16))" } ?? "" : ""
    if isWithoutAddress {
      place = " (non-canonical address or privileged instruction)"
    }
    let foreign = sender.flatMap { $0.process == process ? nil : $0 }
    return "\(name)\(place)\(foreign.map { " sent by process \($0.process)" } ?? "")"
  }

  /// The first line of each library's last message.
  var firstLines: String {
    texts.map { text in
      switch text {
      case .swift(let said), .cLibrary(let said), .exception(let said):
        Self.firstSentence(of: said)
      case .exceptionType(let mangled): "exception \(mangled)"
      }
    }.joined(separator: "; ")
  }

  /// Returns the first line, or the next one if the first only names the source.
  private static func firstSentence(of text: String) -> String {
    var lines = text.split(whereSeparator: \.isNewline)[...]
    var sentence = lines.popFirst().map(String.init) ?? ""
    while sentence.trimmingEnd().hasSuffix(":"), let next = lines.popFirst() {
      sentence += " " + next.drop { $0 == " " }
    }
    return sentence
  }

  /// The last messages of the libraries, joined in one line.
  var text: String {
    texts.map { text in
      switch text {
      case .swift(let said), .cLibrary(let said), .exception(let said): said
      case .exceptionType(let mangled): "exception \(mangled)"
      }
    }.joined(separator: "; ").split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension String {
  fileprivate func trimmingEnd() -> Substring {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
