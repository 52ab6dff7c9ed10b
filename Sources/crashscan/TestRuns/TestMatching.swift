/// Finds the tests to which stacks belong.
struct TestMatching {
  private let candidates: [Candidate]
  /// The indices of the candidates, by the last word of the names of their functions.
  private let indices: [String: [Int]]
  /// The first lines of the tests in each file, ascending.
  private let starts: [String: [Int]]

  private struct Candidate {
    let test: TestName
    /// The function with its type and the parenthesis that follows, as in a demangled name.
    let function: String

    init?(_ test: TestName) {
      let base = test.function.prefix { $0 != "(" }
      guard !base.isEmpty else { return nil }
      self.test = test
      function = withoutBackticks((test.type.map { "\($0)." } ?? "") + base + "(")
    }

    /// True if a demangled function is the test's function, or is nested in the test's function,
    /// such as `closure #1 in Suite.test()`.
    func isIn(_ name: String) -> Bool {
      guard let place = name.utf8.firstRange(of: function.utf8)?.lowerBound else { return false }
      guard place > name.startIndex else { return true }
      let before = name.utf8[name.utf8.index(before: place)]
      return isSeparator(before)
    }
  }

  /// - Parameter all: All known tests: a test ends in its file where the next test begins.
  init(_ tests: [TestName], of all: [TestName]) {
    candidates = tests.compactMap(Candidate.init)
    var indices: [String: [Int]] = [:]
    for (index, candidate) in candidates.enumerated() {
      for word in calledWords(candidate.function) { indices[word, default: []].append(index) }
    }
    self.indices = indices
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

  /// Returns the test to which a stack belongs: by the name of the test's function, and by a place
  /// within the test's lines if several tests have this name.
  func test(of stack: EvidenceStack) -> TestName? {
    var found: Set<Int> = []
    for frame in stack.frames {
      let name = withoutBackticks(frame.function)
      for word in calledWords(name) {
        found.formUnion(indices[word, default: []].filter { candidates[$0].isIn(name) })
      }
    }
    let named = found.sorted().map { candidates[$0].test }
    if named.count <= 1 { return named.first }
    return named.first { test in stack.frames.contains { isWithin($0, test) } } ?? named.first
  }

  private func isWithin(_ frame: EvidenceStack.Frame, _ test: TestName) -> Bool {
    guard let line = frame.line, let file = frame.file, let start = test.line, file == test.file,
      line >= start
    else { return false }
    let next = starts[file]?.first { $0 > start }
    return next.map { line < $0 } ?? true
  }
}

/// Returns the words directly before parentheses: of `closure #1 in Suite.test()`, `test`.
private func calledWords(_ function: String) -> [String] {
  var words: [String] = []
  var start = function.startIndex
  for place in function.utf8.indices {
    let byte = function.utf8[place]
    if byte == UInt8(ascii: "(") { words.append(String(function[start..<place])) }
    if byte == UInt8(ascii: "(") || isSeparator(byte) {
      start = function.utf8.index(after: place)
    }
  }
  return words
}

private func isSeparator(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: ".")
}

private func withoutBackticks(_ name: String) -> String { name.filter { $0 != "`" } }
