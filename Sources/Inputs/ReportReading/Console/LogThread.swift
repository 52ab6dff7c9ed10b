/// Finds the thread that a log line names next to its level: `ERROR (SyncWorker_3) …`,
/// `[pool-2-thread-1] WARN …`, `FATAL [14] …`.
enum LogThread {
  /// The thread's name, and its number if the name is a number; nil if the line names no thread.
  static func named(in line: String) -> (name: String, number: Int?)? {
    let words = line.prefix(200).split(separator: " ").prefix(12).map(String.init)
    guard let level = words.firstIndex(where: isLevel) else { return nil }
    // A thread name may contain spaces.
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

  /// True if a name contains a word for threads, and so names no module, request or message.
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
