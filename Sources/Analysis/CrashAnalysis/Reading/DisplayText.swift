import IncidentModel

/// How findings name things to people.
enum DisplayText {
  /// A function as a sentence has it: a closure by where it was written.
  static func name(_ place: CodePlace) -> String {
    let name = FunctionName(place.name)
    let position = place.shortPosition.map { " (\($0))" } ?? ""
    guard name.isClosure else {
      return place.name + (place.name.isEmpty ? "code" : "") + position
    }
    return "the closure in \(name.written)\(position)"
  }

  /// The same at the beginning of a sentence.
  static func capitalized(_ text: String) -> String {
    text.hasPrefix("the ") ? "The" + text.dropFirst(3) : text
  }

  /// A thread by its number and its name. Dispatch names its workers by the end of a queue's label, as much
  /// as the kernel has room for: `oot.default-qos`.
  static func thread(_ number: Int, _ name: String) -> String {
    guard IncidentThread.isNumber(number) else {
      if !name.isEmpty { return "thread “\(name)”" }
      return number == IncidentThread.unknown
        ? "a thread that the report does not name" : "a thread"
    }
    if name.isEmpty { return "thread \(number)" }
    return isWorker(name) ? "thread \(number) (Dispatch worker)" : "thread \(number) “\(name)”"
  }

  /// A recorded place, `queue net (thread 41 "-qos.overcommit")`, with the thread's name as above.
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

  /// The words of four letters and more in a text, in small letters; names are taken apart: `historyGrid`.
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

/// A crash as findings name it.
extension Crash {
  /// The name of the crash.
  var name: String { title ?? SignalName.of(signal) }

  /// It in one line, as the process with this id met it.
  func line(in process: Int?) -> String {
    cause(in: process) + (text.isEmpty ? "" : ": \(text)")
  }

  /// The signal, the address of the failed access, and the sender of the signal if that was another process.
  func cause(in process: Int?) -> String {
    // For other signals the address is where the instruction stands, which the stack says better.
    let isAccess = signal == 11 || signal == 7
    var place = isAccess ? self.address.map { " at 0x\(String($0, radix: 16))" } ?? "" : ""
    if isWithoutAddress { place = " by a pointer that is no address, or a forbidden instruction" }
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

  /// The first line, or the next one if the first only names the source.
  private static func firstSentence(of text: String) -> String {
    var lines = text.split(whereSeparator: \.isNewline)[...]
    var sentence = lines.popFirst().map(String.init) ?? ""
    while sentence.trimmingEnd().hasSuffix(":"), let next = lines.popFirst() {
      sentence += " " + next.drop { $0 == " " }
    }
    return sentence
  }

  /// The last messages of the libraries, in a line.
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
