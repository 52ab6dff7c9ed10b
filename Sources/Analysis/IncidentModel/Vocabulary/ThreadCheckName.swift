/// Recognizes functions that check the calling thread by their names: `checkThread`,
/// `VerifyAccess`, `assert_main_thread`. The bug is in the caller of the check, not in the check.
package enum ThreadCheckName {
  package static func matches(_ function: String) -> Bool {
    guard
      ["hread", "ccess", "ain", "UI", "Ui", "EDT", "Edt", "edt", "ooper", "ispatch", "ctor"]
        .contains(
          where: function.contains)
    else { return false }
    let name = lastPart(of: function)
    let words = words(of: name)
    if words.count == 1, verbs.contains(words[0]) {
      return isOfThreads(function, before: name.startIndex)
    }
    // `ThreadAsserts.onMain` is a check.
    if words.count <= 2, words.last == "main", isOfThreads(function, before: name.startIndex) {
      return true
    }
    guard words.count > 1, words.count <= 10, !words.contains(where: others.contains) else {
      return false
    }
    let pairs = zip(words, words.dropFirst())
    // .NET's `VerifyAccess` and `CheckAccess` check the thread; Java's `checkAccess` checks
    // permissions.
    if name.first?.isUppercase == true,
      pairs.contains(where: { ["verify", "check"].contains($0) && $1 == "access" })
    {
      return true
    }
    let isOfThreads = words.contains { ["thread", "threads", "threading"].contains($0) }
    if isOfThreads, words.contains(where: faults.contains) { return true }
    guard let verb = words.firstIndex(where: verbs.contains) else { return false }
    let rest = words[(verb + 1)...]
    if isOfThreads { return rest.contains { ["thread", "threads", "threading"].contains($0) } }
    guard let place = rest.firstIndex(where: places.contains) else { return false }
    return rest[(place + 1)...].allSatisfy { following.contains($0) }
  }

  /// True if the function's type is named after the thread that it checks:
  /// `MainThreadGuard.Ensure`, `Edt.require`.
  private static func isOfThreads(_ function: String, before name: String.Index) -> Bool {
    let path = function[..<name].split { ".: ".contains($0) }
    guard let type = path.last else { return false }
    let words = words(of: type)
    return words.contains {
      ["thread", "threads", "edt", "mainthread", "uithread", "threading"].contains($0)
    }
      && !words.contains(where: others.contains)
  }

  private static let verbs: Set<String> = [
    "check", "verify", "assert", "ensure", "require", "requires", "demand", "enforce", "expect",
    "must",
    "precondition", "dcheck", "guard", "throw", "assertion", "warn",
  ]
  private static let places: Set<String> = [
    "main", "ui", "gui", "edt", "fx", "mainthread", "uithread", "looper", "dispatcher",
  ]
  private static let following: Set<String> = [
    "thread", "queue", "looper", "loop", "actor", "access", "context", "dispatcher", "only",
    "dispatch",
    "impl", "or", "throw", "internal",
  ]
  private static let faults: Set<String> = ["violation", "illegal", "wrong", "cross", "invalid"]
  /// Words that exclude a name: words of the opposite check, or of functions that manage threads.
  private static let others: Set<String> = [
    "not", "non", "background", "worker", "off", "pool", "pools", "start", "started", "count",
    "create",
    "created", "running", "alive", "local", "priority", "name", "stack", "exit", "join",
    "permission",
  ]

  private static func lastPart(of function: String) -> Substring {
    var name = function[...]
    if name.hasPrefix("-[") || name.hasPrefix("+[") {
      name = name.dropLast().drop { $0 != " " }.dropFirst()
      return name.prefix { $0 != ":" }
    }
    if let open = name.dropFirst().firstIndex(of: "(") { name = name[..<open] }
    // .NET names a local function `Dispatcher.<VerifyAccess>g__ThrowVerifyAccess|16_0`.
    if let inner = name.ranges(of: "g__").last {
      name = name[inner.upperBound...].prefix { $0 != "|" }
    }
    let start = name.lastIndex { ".: ".contains($0) }.map(name.index(after:)) ?? name.startIndex
    return name[start...].prefix { $0 != "$" && $0 != "<" && $0 != "`" }
  }

  /// Splits an identifier such as `assertIsOnUIThread` or `assert_main_thread` into lowercase
  /// words.
  private static func words(of name: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    let signs = Array(name.prefix(80))
    for (place, sign) in signs.enumerated() {
      guard sign.isLetter else {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
        continue
      }
      let next = place + 1 < signs.count ? signs[place + 1] : nil
      let last = place > 0 ? signs[place - 1] : nil
      let begins = sign.isUppercase && (last?.isLowercase == true || next?.isLowercase == true)
      if begins, !word.isEmpty {
        words.append(word.lowercased())
        word = ""
      }
      word.append(sign)
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }
}
