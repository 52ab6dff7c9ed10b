import IncidentModel

extension CrashReading {
  /// The identity of a death in which no own function is known: the message without numbers and
  /// addresses, else the functions in which the process died. It does not depend on the tool that
  /// wrote the report.
  var identity: String {
    let said = crash.texts.lazy.map { $0.said }.first {
      !$0.isEmpty && !$0.hasPrefix("abort() called")
    }
    if let said { return Self.withoutNumbers(ThreadClaim.reason(in: said)) }
    let died = frames.filter { $0.isNamed && !Self.isEnding($0) }.prefix(3).map(\.place.function)
    return ([SignalName.of(crash.signal)] + died).joined(separator: " ")
  }

  /// Removes numbers, addresses, quotes and punctuation, which differ between reports.
  private static func withoutNumbers(_ text: String) -> String {
    let words = text.split { !$0.isLetter && !$0.isNumber && !"_-+[]:.".contains($0) }
    return words.filter { word in
      !word.contains(where: \.isNumber)
    }.map { word in word.drop { ".:-".contains($0) } }.joined(separator: " ")
      .replacing(".", with: "").prefix(200).description
  }

  /// True for a function by which a process ends itself or receives a fault: every death has these
  /// frames.
  private static func isEnding(_ frame: Frame) -> Bool {
    let name = frame.place.function
    return endings.contains(where: name.hasPrefix)
  }

  private static let endings = [
    "__pthread_kill", "pthread_kill", "abort", "__abort", "raise", "gsignal", "__cxa_", "std::",
    "objc_exception_throw", "_objc_terminate", "__exceptionPreprocess",
    "demangling_terminate_handler",
    "start_wqthread", "_pthread_wqthread", "thread_start", "__cxxabiv1::",
  ]
}

extension Crash.Text {
  fileprivate var said: String {
    switch self {
    case .swift(let text), .cLibrary(let text), .exception(let text): text
    case .exceptionType(let mangled): mangled
    }
  }
}
