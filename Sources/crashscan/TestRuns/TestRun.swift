/// The tests of a run, each with its state.
package struct TestRun: Sendable {
  package enum State: Hashable, Sendable {
    /// The test was listed and has not started.
    case waiting
    case running
    case passed, failed, skipped
    /// The test ended its process.
    case crashed
    case hung
  }

  package struct Test: Sendable {
    package let name: TestName
    package internal(set) var state = State.waiting
    /// The start in seconds of the monotonic clock; nil until the test starts.
    package internal(set) var started: Double?
    package internal(set) var ended: Double?
    package internal(set) var issues: [TestIssue] = []
    /// The report on the test's crash or hang.
    package internal(set) var verdict: Verdict?
    /// The reason why the test has no result; nil if the test has a result or may still run.
    package internal(set) var missing: String?
    /// The failures of earlier attempts, one text per attempt.
    package internal(set) var flakes: [String] = []

    /// The duration in seconds; nil unless the test has started and ended.
    package var duration: Double? {
      started.flatMap { start in ended.map { max(0, $0 - start) } }
    }

    /// True if the test has a result.
    package var hasEnded: Bool { state != .waiting && state != .running }
    package var isBad: Bool { [.failed, .crashed, .hung].contains(state) || missing != nil }
  }

  package private(set) var tests: [Test] = []
  private var places: [TestName: Int] = [:]
  /// Failures that belong to no test: the end of a process, or issues recorded outside of tests.
  package internal(set) var others: [(title: String, text: String)] = []

  package init() {}

  package subscript(name: TestName) -> Test? { places[name].map { tests[$0] } }

  /// Changes the test called `name`; adds the test if it is new.
  mutating func change(_ name: TestName, _ body: (inout Test) -> Void) {
    let place = places[name] ?? tests.count
    if place == tests.count {
      tests.append(Test(name: name))
      places[name] = place
    }
    body(&tests[place])
  }

  mutating func apply(_ event: TestEvent, at time: Double) {
    switch event {
    case .listed(let name): change(name) { _ in }
    case .started(let name):
      change(name) {
        $0.state = .running
        $0.started = time
        $0.ended = nil
      }
    case .ended(let name, let result):
      change(name) {
        // A crash that is already attributed to the test takes precedence over its result.
        if $0.state == .crashed { return }
        $0.ended = time
        $0.state =
          switch result {
          // The command may run a test more than once.
          case .passed: $0.issues.isEmpty ? .passed : .failed
          case .failed: .failed
          case .skipped: .skipped
          }
      }
    case .failed(let name?, let issue):
      change(name) {
        $0.issues.append(issue)
        if $0.hasEnded || $0.state == .waiting { $0.state = .failed }
      }
    case .failed(nil, let issue): others.append((title: "outside of tests", text: issue.message))
    case .progressed, .runEnded: break
    }
  }

  /// Resets failed tests for another attempt, and keeps their failures in `flakes`.
  mutating func reset(_ names: [TestName]) {
    for name in names {
      change(name) {
        let texts = $0.issues.map(\.shown) + [$0.verdict?.title].compactMap { $0 }
        $0.flakes.append(texts.isEmpty ? "failed" : texts.joined(separator: "\n"))
        $0.state = .waiting
        $0.issues = []
        $0.verdict = nil
        $0.missing = nil
      }
    }
  }

  package var flaky: [Test] { tests.filter { $0.state == .passed && !$0.flakes.isEmpty } }
  package var isGood: Bool { others.isEmpty && !tests.contains(where: \.isBad) }

  package func count(_ state: State) -> Int { tests.count { $0.state == state } }
}

/// The analyzer's verdict on a crash or a hang.
package struct Verdict: Hashable, Sendable {
  /// The title, in one line.
  package var title: String
  /// The place to open first; nil if unknown.
  package var file: String?
  package var line: Int?
  /// The text of the report.
  package var text: String

  package init(title: String, file: String? = nil, line: Int? = nil, text: String) {
    self.title = title
    self.file = file
    self.line = line
    self.text = text
  }
}
