import Glibc
import ProcessReading

/// Further attempts: tests without a result, and failed tests.
extension Supervisor {
  /// Runs the tests that an ended process left without a result.
  func finishTests() throws(TestRunFailure) {
    while interruption == 0, !unfinished.isEmpty {
      let next = unfinished.removeFirst()
      let tests =
        switch next.launch.library {
        case .swiftTesting: next.tests.filter { run[$0]?.hasEnded != true }
        case .xcTest: xcTests(of: next.launch).filter { run[$0]?.hasEnded != true }
        }
      guard !tests.isEmpty else {
        if let mystery = next.mystery { run.others.append(mystery) }
        continue
      }
      reporting.say(
        "running \(tests.count == 1 ? "the test" : "the \(tests.count) tests") that had no result\(next.isSerial ? ", one after the other" : "")"
      )
      for name in tests { run.change(name) { _ in } }
      hasBlamed = false
      try start(next.launch, tests, isSerial: next.isSerial)
      // If a test ended its process in this attempt, that test also explains the earlier end.
      if let mystery = next.mystery, !hasBlamed { run.others.append(mystery) }
    }
  }

  /// Runs failed tests again, as often as the options say.
  func retry() throws(TestRunFailure) {
    for _ in 0..<options.retries {
      let bad = run.tests.filter { $0.isBad && launches[$0.name] != nil }.map(\.name)
      if interruption != 0 || bad.isEmpty { return }
      hasIntervened = true
      reporting.say(
        "running \(bad.count == 1 ? "1 failed test" : "\(bad.count) failed tests") again")
      run.reset(bad)
      var groups: [(launch: TestLaunch, tests: [TestName])] = []
      for name in bad {
        guard let launch = launches[name] else { continue }
        if let place = groups.firstIndex(where: {
          $0.launch.executable == launch.executable && $0.launch.library == launch.library
        }) {
          groups[place].tests.append(name)
        } else {
          groups.append((launch, [name]))
        }
      }
      for group in groups { try start(group.launch, group.tests, isSerial: false) }
      try finishTests()
    }
  }

  private func start(
    _ launch: TestLaunch, _ tests: [TestName], isSerial: Bool
  ) throws(TestRunFailure) {
    if launch.library == .xcTest, modules.isEmpty { _ = xcTests(of: launch) }
    for part in launch.arguments(running: tests, isSerial: isSerial, modules: modules) {
      if interruption != 0 { return }
      self.isSerial = isSerial
      var command = try ChildCommand(
        executable: launch.executable, arguments: part,
        environment: preloaded(launch.environment), directory: launch.directory)
      follow(&command)
      self.isSerial = false
    }
    for name in tests where interruption == 0 && run[name]?.hasEnded == false {
      guard !unfinished.contains(where: { $0.tests.contains(name) || $0.launch.library == .xcTest })
      else { continue }
      run.change(name) { $0.missing = $0.missing ?? "not run: the process did not run this test" }
    }
  }

  /// Returns the tests of a bundle that its command line selects.
  func xcTests(of launch: TestLaunch) -> [TestName] {
    let path = "\(options.directory)/list"
    defer { unlink(path) }
    guard
      var list = try? ChildCommand(
        executable: launch.executable, arguments: [launch.arguments[0], "--list-tests"],
        environment: launch.environment, directory: launch.directory, output: path)
    else { return [] }
    let deadline = Self.now + 30
    while list.status == nil, Self.now < deadline {
      poll(nil, 0, 10)
      list.refresh()
    }
    if list.status == nil { list.send(SIGKILL) }
    let listed = XCTestList(ProcessFiles.text(path) ?? "")
    modules.merge(listed.modules) { first, _ in first }
    return listed.tests(selectedBy: launch.arguments)
  }

  /// Sets `modules` from the test lists of all XCTest bundles.
  package func learnModules() {
    var asked: Set<String> = []
    for launch in launches.values
    where launch.library == .xcTest && asked.insert(launch.executable).inserted {
      _ = xcTests(of: launch)
    }
  }

  /// Returns an environment that preloads the library, in place of any earlier request.
  func preloaded(_ environment: [String]) -> [String] {
    let names = ["LD_PRELOAD=", "MAINSTAY_TEST_"]
    let before = environment.first { $0.hasPrefix(names[0]) }?.dropFirst(names[0].count) ?? ""
    var added = [
      "LD_PRELOAD=\(options.library)\(before.isEmpty ? "" : ":\(before)")",
      "MAINSTAY_TEST_PRELOAD=\(before)", "MAINSTAY_TEST_DIRECTORY=\(options.directory)",
    ]
    if let pool = options.pool { added.append("MAINSTAY_TEST_POOL=\(pool)") }
    return environment.filter { variable in !names.contains { variable.hasPrefix($0) } } + added
  }
}
