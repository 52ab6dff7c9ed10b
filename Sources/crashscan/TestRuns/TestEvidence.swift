/// A stack of a crash or of a picture, or the places of a finding.
package struct EvidenceStack: Sendable {
  package struct Frame: Sendable {
    package var function: String
    package var file: String?
    package var line: Int?

    package init(function: String, file: String?, line: Int?) {
      self.function = function
      self.file = file
      self.line = line
    }
  }

  /// The thread or task with its activity: `thread 4711 is sleeping`, `task 7 waits for a
  /// continuation`.
  package var what: String
  /// The kernel ids of the threads with this stack; empty for tasks.
  package var threads: [Int]
  /// True for tasks that wait for a thread or an actor: others keep them waiting.
  package var waitsForTurn = false
  package var frames: [Frame]
  /// The innermost place in the program's own code.
  package var place: String?

  package init(what: String, threads: [Int] = [], frames: [Frame], place: String? = nil) {
    self.what = what
    self.threads = threads
    self.frames = frames
    self.place = place
  }
}

/// The analyzer's report on a crash or on a hung process.
package struct Explanation: Sendable {
  package var verdict: Verdict
  /// The stacks that the findings name. The crash or hang is attributed to the tests of these
  /// stacks.
  package var blamed: [EvidenceStack]
  /// All other stacks.
  package var others: [EvidenceStack]
  /// True if a finding shows that the process cannot continue.
  package var isProof: Bool
  /// True if a task of the process sleeps.
  package var sleeps: Bool

  package init(
    verdict: Verdict, blamed: [EvidenceStack], others: [EvidenceStack], isProof: Bool, sleeps: Bool
  ) {
    self.verdict = verdict
    self.blamed = blamed
    self.others = others
    self.isProof = isProof
    self.sleeps = sleeps
  }
}

/// Finds the tests to which stacks belong.
struct TestMatching {
  private let candidates: [TestName]
  /// The first lines of the tests in each file, ascending.
  private let starts: [String: [Int]]

  /// - Parameter all: All known tests: a test ends in its file where the next test begins.
  init(_ candidates: [TestName], of all: [TestName]) {
    self.candidates = candidates
    var starts: [String: [Int]] = [:]
    for name in all {
      if let file = name.file, let line = name.line { starts[file, default: []].append(line) }
    }
    self.starts = starts.mapValues { $0.sorted() }
  }

  /// Returns the tests to which the stacks belong, in the order of the stacks.
  func tests(of stacks: [EvidenceStack]) -> [TestName] {
    var found: [TestName] = []
    for stack in stacks {
      if let test = test(of: stack), !found.contains(test) { found.append(test) }
    }
    return found
  }

  /// Returns the test to which a stack belongs: by the name of the test's function, and by a place within the test's lines
  /// if several tests have this name.
  func test(of stack: EvidenceStack) -> TestName? {
    let named = candidates.filter { test in
      stack.frames.contains { Self.isNamed($0.function, test) }
    }
    if named.count <= 1 { return named.first }
    return named.first { test in stack.frames.contains { isWithin($0, test) } } ?? named.first
  }

  /// True if a demangled function is the test's function, or is nested in the test's function, such
  /// as `closure #1 in Suite.test()`.
  static func isNamed(_ function: String, _ test: TestName) -> Bool {
    let base = test.function.prefix { $0 != "(" }.filter { $0 != "`" }
    let function = function.filter { $0 != "`" }
    guard !base.isEmpty else { return false }
    let wanted = (test.type.map { "\($0)." } ?? "") + base + "("
    guard let place = function.firstOccurrence(of: wanted) else { return false }
    guard place > function.startIndex else { return true }
    let before = function[function.index(before: place)]
    return before == " " || before == "."
  }

  private func isWithin(_ frame: EvidenceStack.Frame, _ test: TestName) -> Bool {
    guard let line = frame.line, let file = frame.file, let start = test.line, file == test.file,
      line >= start
    else { return false }
    let next = starts[file]?.first { $0 > start }
    return next.map { line < $0 } ?? true
  }
}

extension String {
  /// Returns the index of the first occurrence of `text`; nil if `text` does not occur.
  func firstOccurrence(of text: String) -> String.Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start }
      start = index(after: start)
    }
    return nil
  }
}
