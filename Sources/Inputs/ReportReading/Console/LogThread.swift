/// The thread that a line of a log names beside its level: `ERROR (SyncWorker_3) …`, `[pool-2-thread-1] WARN …`,
/// `FATAL [14] …`.
enum LogThread {
  /// The name of the thread, and its number if the name is one; nil if the line has neither.
  static func named(in line: String) -> (name: String, number: Int?)? {
    let words = line.prefix(200).split(separator: " ").prefix(12).map(String.init)
    guard let level = words.firstIndex(where: isLevel) else { return nil }
    // A name may contain blanks.
    let head = line.prefix(200)
    for place in [level + 1, level - 1, level + 2, level - 2] where words.indices.contains(place) {
      let word = words[place]
      guard let open = word.first, open == "[" || open == "(", let start = head.range(of: word)
      else {
        continue
      }
      let close: Character = open == "[" ? "]" : ")"
      let rest = head[start.lowerBound...].dropFirst()
      guard let end = rest.firstIndex(of: close) else { continue }
      let name = String(rest[..<end])
      if let number = Int(name), number < 100_000 { return ("", number) }
      if isName(name) { return (name, nil) }
    }
    return nil
  }

  private static let levels: Set<String> = [
    "ERROR", "SEVERE", "FATAL", "CRITICAL", "WARN", "WARNING", "ERR", "ERRO", "FTL", "INFO",
  ]

  private static func isLevel(_ word: String) -> Bool {
    levels.contains(word.trimmedOf("[]()|:"))
  }

  /// A thread's name, not a module's, a request's or a message: it says that it is a thread.
  private static func isName(_ name: String) -> Bool {
    guard (3...48).contains(name.utf8.count), name.first?.isLetter == true, !name.contains("/"),
      !name.contains(":"), !name.contains("=")
    else { return false }
    let text = name.lowercased()
    return text.split { !$0.isLetter }.contains("main")
      || [
        "thread", "worker", "pool", "exec", "scheduler", "dispatcher", "loop", "timer", "task",
      ].contains(where: text.contains)
  }
}
