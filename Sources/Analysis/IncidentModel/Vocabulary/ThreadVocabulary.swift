/// The words with which texts state the thread of code: the lexicon of `ThreadClaim`.
package enum ThreadVocabulary {
  /// The verbs for operations that belong on a thread.
  static let actions: Set<String> = [
    "accessed", "accessing", "called", "calling", "changed", "changing", "constructed",
    "constructing", "created", "creating", "dispatched", "displayed", "displaying", "done",
    "executed", "executing", "get", "initialized", "initialised", "instantiated", "instantiating",
    "invalidated", "invalidating", "invoke", "invoked", "invoking", "made", "manipulated",
    "modified", "modify", "modifying", "mutated", "mutating", "observe", "observed", "obtain",
    "obtained", "performed", "performing", "presented", "presenting", "publish", "published",
    "publishing", "removed", "run", "running", "scheduled", "sent", "set", "shown", "start",
    "started", "toast", "touch", "touched", "touching", "deleted", "destroyed", "disposed", "freed",
    "updated", "updating", "use", "used",
    "using", "call", "access", "create", "update", "safe", "happen", "happens", "present", "send",
  ]

  static let duties: Set<String> = [
    "must", "should", "shall", "needs", "need", "required", "requires", "require", "expected",
    "expects", "has", "have", "supposed", "only",
  ]

  /// Words that forbid the operation before or after them.
  static let bans: Set<String> = [
    "cannot", "can't", "illegal", "forbidden", "unsafe", "prohibited", "disallowed", "unsupported",
    "invalid", "mustn't", "shouldn't",
  ]

  static let negations: Set<String> = ["not", "never", "isn't", "wasn't", "aren't", "n't", "no"]

  /// Words that may occur between a preposition and the thread.
  package static let articles: Set<String> = [
    "the", "a", "an", "any", "your", "its", "their", "this", "some", "application's", "app's",
    "awt", "swing", "javafx", "swt", "unity", "unity's", "flutter", "wpf", "winforms",
  ]

  static let places: Set<String> = [
    "on", "from", "in", "at", "to", "by", "off", "outside", "of", "than",
  ]

  static let mainNames: Set<String> = ["main", "ui", "gui", "platform", "fx"]
  static let otherNames: Set<String> = [
    "background", "secondary", "non-main", "nonmain", "non-ui", "non-gui", "non-platform", "worker",
    "detached",
  ]
  /// Adjectives for a thread that is not the owner.
  static let wrongNames: Set<String> = ["incorrect", "wrong", "invalid"]
  /// Adjectives for the owner thread in a sentence that states a duty.
  static let rightNames: Set<String> = ["same", "own", "owning", "creating", "original"]
  /// Adjectives for threads other than the owner in a sentence that forbids.
  static let strangeNames: Set<String> = ["other", "another", "different"]
  /// Verbs that relate an object to its owner thread.
  static let ownership: Set<String> = ["owns", "owned", "created", "made", "belongs"]
  static let attempts: Set<String> = ["tried", "attempt", "attempted", "trying", "attempting"]
  static let qualifiers: Set<String> = ["application", "app", "dispatch", "event", "run"]
  static let threads: Set<String> = [
    "thread", "threads", "queue", "queues", "actor", "runloop", "loop", "executor",
  ]

  /// Words of advice, conditions and questions: a sentence with such a word does not report an
  /// event.
  static let hedges: Set<String> = [
    "if", "when", "whenever", "unless", "ensure", "ensures", "please", "let's", "we", "i", "you",
    "because", "otherwise", "whether", "would", "could", "might", "so", "todo", "note", "fixme",
    "e.g", "fix", "fixed", "fixes", "why", "how", "example", "docs", "documentation",
  ]

  /// Words that report a failed check.
  static let asserts: Set<String> = ["assertion", "precondition", "check", "assert"]

  /// Suffixes of functions that check for the main thread, in lowercase.
  static let checks = [
    "ismainthread", "ismainqueue", "ismain", "isingamethread", "isuithread", "isguithread",
    "inmainthread", "onmainthread", "assertmainthread",
  ]

  static let commands: Set<String> = [
    "call", "use", "invoke", "run", "access", "update", "touch", "perform", "dispatch",
  ]
  /// The words that may follow the verb of a command.
  static let objects: Set<String> = ["it", "this", "them", "that", "only", "always", "method"]
  /// Words before a verb that is not a command.
  static let auxiliaries: Set<String> = [
    "to", "can", "cannot", "can't", "could", "may", "might", "would", "will", "does", "did", "we",
    "i", "you", "they", "doesn't", "didn't", "couldn't",
  ]

  /// True if a text quotes a check that forbids the main thread: `![NSThread isMainThread]`.
  static func forbidsMain(_ text: String) -> Bool {
    guard text.contains("!") || text.contains("_not") else { return false }
    let code = beginning(of: text).lowercased().filter { $0 != " " }
    return [
      "![nsthreadismain", "!nsthread.ismain", "!thread.ismain", "!thread.current.ismain",
      "!ismainthread", "!pthread_main_np", "dispatch_assert_queue_not(",
    ].contains(where: code.contains)
  }

  /// The part of a text that is parsed.
  static func beginning(of text: String) -> String {
    text.utf8.count > most ? String(decoding: text.utf8.prefix(most), as: UTF8.self) : text
  }

  private static let most = 2048

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  /// The words of a text in lowercase, grouped by sentence.
  package static func sentences(_ text: String) -> [[String]] {
    var sentences: [[String]] = []
    var words: [String] = []
    var word: [UInt8] = []
    var depth = 0
    func endWord() {
      let edges = Set(".'-".utf8)
      while let last = word.last, edges.contains(last) { word.removeLast() }
      word = Array(word.drop { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "-") })
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    func endSentence() {
      endWord()
      if !words.isEmpty { sentences.append(words) }
      words = []
    }
    let bytes = Array(text.utf8.prefix(most))
    for (place, byte) in bytes.enumerated() {
      let next = place + 1 < bytes.count ? bytes[place + 1] : 32
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth = max(0, depth - 1) }
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 32)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 95,
        UInt8(ascii: "'"), UInt8(ascii: "-"), 0x80...:
        word.append(byte)
      case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ";"):
        if depth == 0, isSpace(next) || next == byte || next == 0x27 || next == 0x22 {
          endSentence()
        } else {
          word.append(UInt8(ascii: "."))
        }
      default: endWord()
      }
    }
    endSentence()
    return sentences
  }
}
