/// A stack of a crash, of a picture, or the places of a finding.
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

  /// The activity: `thread 4711 (sleeping)`, `task 7 waits for a continuation`.
  package var what: String
  /// The kernel ids of the threads in this place; empty for tasks.
  package var threads: [Int]
  package var frames: [Frame]
  /// The first place of the program's own code.
  package var place: String?

  package init(what: String, threads: [Int] = [], frames: [Frame], place: String? = nil) {
    self.what = what
    self.threads = threads
    self.frames = frames
    self.place = place
  }
}

/// The report of the analyzer on a crash or on a hanging process.
package struct Explanation: Sendable {
  package var verdict: Verdict
  /// The stacks that the findings are about; they decide whose crash or hang it is.
  package var blamed: [EvidenceStack]
  /// All others.
  package var others: [EvidenceStack]
  /// Whether a finding shows that the process cannot go on.
  package var isProof: Bool
  /// Whether something there waits for a time to pass.
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

/// Finds the tests that stacks belong to.
struct TestMatching {
  private let candidates: [TestName]
  /// The lines at which tests begin, ascending, by file.
  private let starts: [String: [Int]]

  /// - Parameter all: all tests that are known, which bound each other in their files.
  init(_ candidates: [TestName], of all: [TestName]) {
    self.candidates = candidates
    var starts: [String: [Int]] = [:]
    for name in all {
      if let file = name.file, let line = name.line { starts[file, default: []].append(line) }
    }
    self.starts = starts.mapValues { $0.sorted() }
  }

  /// The tests that any of the stacks belongs to, in the order of the stacks.
  func tests(of stacks: [EvidenceStack]) -> [TestName] {
    var found: [TestName] = []
    for stack in stacks {
      if let test = test(of: stack), !found.contains(test) { found.append(test) }
    }
    return found
  }

  /// The test that a stack belongs to: by the name of its function, else by a place within its lines.
  func test(of stack: EvidenceStack) -> TestName? {
    let named = candidates.filter { test in
      stack.frames.contains { Self.isNamed($0.function, test) }
    }
    if named.count == 1 { return named[0] }
    // Tests of one name in several suites, or of generic helpers: the place decides.
    let placed = (named.isEmpty ? candidates : named).filter { test in
      stack.frames.contains { isWithin($0, test) }
    }
    return placed.first ?? named.first
  }

  /// Whether a demangled function is that of the test or nested in that function: `closure #1 in Suite.test()`.
  static func isNamed(_ function: String, _ test: TestName) -> Bool {
    let base = test.function.prefix { $0 != "(" }
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
  /// The place at which `text` first occurs; nil if it does not.
  func firstOccurrence(of text: String) -> String.Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start }
      start = index(after: start)
    }
    return nil
  }
}
