import Testing

@testable import TestRuns

/// Whose a stack is, which tests are run again, and what is written about them.
@Suite("A test run") struct TestRunTests {
  private func test(_ id: String, line: Int) -> TestName {
    TestName(.swiftTesting, id: "M.\(id)/T.swift:\(line):4", file: "/p/T.swift", line: line)
  }

  private func stack(_ function: String, line: Int? = nil) -> EvidenceStack {
    EvidenceStack(
      what: "thread 1",
      frames: [EvidenceStack.Frame(function: function, file: "/p/T.swift", line: line)])
  }

  @Test func aStackBelongsToTheTestWhoseFunctionIsOnIt() {
    let tests = [
      test("One/runs()", line: 5), test("Two/runs()", line: 15), test("free()", line: 25),
      test("One/`a name`()", line: 35), TestName(.xcTest, id: "Three.testIt"),
      test("One/`version 1.2`()", line: 45),
    ]
    let matching = TestMatching(tests, of: tests)
    #expect(matching.test(of: stack("closure #1 in closure #2 in Two.runs()")) == tests[1])
    #expect(matching.test(of: stack("One.runs()", line: 400)) == tests[0])
    #expect(matching.test(of: stack("Outer.One.runs()")) == tests[0])
    #expect(matching.test(of: stack("free()")) == tests[2])
    #expect(matching.test(of: stack("One.a name()")) == tests[3])
    #expect(matching.test(of: stack("Three.testIt()")) == tests[4])
    #expect(matching.test(of: stack("closure #1 (x:) in One.`version 1.2`()")) == tests[5])
    #expect(matching.test(of: stack("NoOne.runs()")) == nil)
    // A function between two tests may be called by any.
    #expect(matching.test(of: stack("helper()", line: 17)) == nil)
  }

  @Test func aTestIsRunAgainAloneWhateverTheCommandLineChose() {
    let launch = TestLaunch(
      directory: "/", executable: "/b.xctest",
      arguments: [
        "b", "--filter", "x", "--skip=y", "--testing-library", "swift-testing",
        "--event-stream-output-path", "/e", "--parallel",
      ], environment: [])
    #expect(
      launch.arguments(running: [test("One/runs()", line: 5)], isSerial: true, modules: [:]) == [
        [
          "b", "--testing-library", "swift-testing", "--parallel", "--no-parallel", "--filter",
          #"^(?:M\.One\/runs\(\)\/T\.swift:5:4)$"#,
        ]
      ])
  }

  @Test func testsOfXCTestAreListedAsTheCommandLineChose() {
    let list = XCTestList("Listing 3 tests in b.xctest:\n\nM.A/testB\nM.A/testC\nN.D/testE\n")
    func ids(_ arguments: [String]) -> [String] {
      list.tests(selectedBy: ["b"] + arguments).map(\.id)
    }
    #expect(ids([]) == ["A.testB", "A.testC", "D.testE"])
    #expect(ids(["M.A/testB,N"]) == ["A.testB", "D.testE"])
    let launch = TestLaunch(
      directory: "/", executable: "/b.xctest", arguments: ["b", "M"], environment: [])
    #expect(
      launch.arguments(
        running: [TestName(.xcTest, id: "A.testC")], isSerial: false, modules: list.modules)
        == [["b", "M.A/testC"]])
  }

  @Test func aFailureStaysThoughTheCommandRunsTheTestAgain() {
    var run = TestRun()
    let name = test("One/runs()", line: 5)
    for _ in 0..<2 {
      run.apply(.started(name), at: 1)
      if run[name]?.issues.isEmpty == true { run.apply(.failed(name, TestIssue("no")), at: 2) }
      run.apply(.ended(name, run[name]?.state == .failed ? .failed : .passed), at: 3)
    }
    #expect(run[name]?.state == .failed && !run.isGood)
    run.reset([name])
    run.apply(.started(name), at: 4)
    run.apply(.ended(name, .passed), at: 5)
    #expect(run.flaky.map(\.name) == [name] && run.isGood)
  }

  @Test func junitHasEveryTestOnceAndNothingThatXMLForbids() {
    var run = TestRun()
    let (one, other) = (test("One/runs()", line: 5), TestName(.xcTest, id: "A.testB"))
    run.apply(.started(one), at: 1)
    run.apply(.failed(one, TestIssue("<a> & \"b\" \u{1}", file: "/p/T.swift", line: 6)), at: 1)
    run.apply(.ended(one, .failed), at: 1.25)
    run.apply(.started(other), at: 2)
    #expect(
      JUnitFile(run, modules: ["A": "N"]).text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="crashscan test" tests="2" failures="1" errors="0">
          <testsuite name="M.One" tests="1" failures="1" errors="0" skipped="0" time="0.250">
            <testcase classname="M.One" name="runs()" file="/p/T.swift" line="5" time="0.250">
              <failure message="&lt;a&gt; &amp; &quot;b&quot; \\u{1}">/p/T.swift:6: &lt;a&gt; &amp; &quot;b&quot; \\u{1}</failure>
            </testcase>
          </testsuite>
          <testsuite name="N.A" tests="1" failures="0" errors="0" skipped="0" time="0.000">
            <testcase classname="N.A" name="testB">
              <error type="not-run" message="the test did not end"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func aFailureOfARerunIsWrittenOnce() {
    var run = TestRun()
    let name = test("One/runs()", line: 5)
    for issue in [TestIssue("no"), TestIssue("no\nreally")] {
      run.apply(.started(name), at: 1)
      run.apply(.failed(name, issue), at: 1)
      run.apply(.ended(name, .failed), at: 1)
      run.reset([name])
    }
    run.apply(.started(name), at: 2)
    run.apply(.ended(name, .passed), at: 2)
    let text = JUnitFile(run, modules: [:]).text
    #expect(text.contains("<flakyFailure message=\"no\"/>"), "\(text)")
    #expect(text.contains("<flakyFailure message=\"no\">no\nreally</flakyFailure>"))
  }
}
