import TextOutput

/// The results of a run as JUnit XML: a suite for each test class or suite.
package struct JUnitFile {
  private let run: TestRun
  private let modules: [String: String]

  /// - Parameter modules: The module of each XCTest class.
  package init(_ run: TestRun, modules: [String: String]) {
    self.run = run
    self.modules = modules
  }

  package var text: String {
    var names: [String] = []
    var suites: [String: [TestRun.Test]] = [:]
    for test in run.tests {
      let name = className(test.name)
      if suites[name] == nil { names.append(name) }
      suites[name, default: []].append(test)
    }
    let bad = run.tests.filter(\.isBad)
    var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    xml += "<testsuites name=\"crashscan test\" tests=\"\(run.tests.count + run.others.count)\""
    xml += " failures=\"\(bad.count { $0.state == .failed })\""
    xml += " errors=\"\(bad.count { $0.state != .failed } + run.others.count)\">\n"
    for name in names { xml += suite(name, suites[name] ?? []) }
    if !run.others.isEmpty { xml += processes }
    return xml + "</testsuites>\n"
  }

  private func className(_ name: TestName) -> String {
    let path = name.components.dropLast()
    guard name.library == .xcTest, let type = path.first else { return path.joined(separator: ".") }
    return (modules[type].map { "\($0)." } ?? "") + type
  }

  private func suite(_ name: String, _ tests: [TestRun.Test]) -> String {
    let bad = tests.filter(\.isBad)
    let failures = bad.count { $0.state == .failed }
    let time = tests.compactMap(\.duration).reduce(0, +)
    var xml = "  <testsuite name=\(xmlAttribute(name)) tests=\"\(tests.count)\""
    xml += " failures=\"\(failures)\" errors=\"\(bad.count - failures)\""
    xml += " skipped=\"\(tests.count { $0.state == .skipped })\" time=\"\(seconds(time))\">\n"
    for test in tests { xml += testCase(test, name) }
    return xml + "  </testsuite>\n"
  }

  private func testCase(_ test: TestRun.Test, _ className: String) -> String {
    var xml = "    <testcase classname=\(xmlAttribute(className))"
    xml += " name=\(xmlAttribute(test.name.function))"
    if let file = test.name.file { xml += " file=\(xmlAttribute(file))" }
    if let line = test.name.line { xml += " line=\"\(line)\"" }
    if let time = test.duration { xml += " time=\"\(seconds(time))\"" }
    let content = content(of: test)
    return xml + (content.isEmpty ? "/>\n" : ">\n\(content)    </testcase>\n")
  }

  private func content(of test: TestRun.Test) -> String {
    var xml = ""
    // These are the elements that Maven's Surefire writes.
    for flake in test.flakes {
      let kind = test.state == .passed ? "flakyFailure" : "rerunFailure"
      let message = firstLine(flake)
      xml += "      <\(kind) message=\(xmlAttribute(message))"
      xml += flake == message ? "/>\n" : ">\(escapingXML(flake))</\(kind)>\n"
    }
    if let verdict = test.verdict, test.isBad {
      let kind = test.state == .hung ? "hang" : "crash"
      let text = verdict.text.isEmpty ? verdict.title : verdict.text
      return xml
        + "      <error type=\"\(kind)\" message=\(xmlAttribute(verdict.title))>\(escapingXML(text))</error>\n"
    }
    if let missing = test.missing {
      return xml + "      <error type=\"not-run\" message=\(xmlAttribute(missing))/>\n"
    }
    switch test.state {
    case .failed:
      let texts = test.issues.map(\.shown)
      let message = test.issues.first.map { firstLine($0.message) } ?? "failed"
      return xml
        + "      <failure message=\(xmlAttribute(message))>\(escapingXML(texts.joined(separator: "\n")))</failure>\n"
    case .skipped: return xml + "      <skipped/>\n"
    case .waiting, .running:
      return xml + "      <error type=\"not-run\" message=\"the test did not end\"/>\n"
    case .passed, .crashed, .hung: return xml
    }
  }

  /// The suite of errors that belong to no test.
  private var processes: String {
    var xml = "  <testsuite name=\"processes\" tests=\"\(run.others.count)\""
    xml += " failures=\"0\" errors=\"\(run.others.count)\">\n"
    for other in run.others {
      xml += "    <testcase classname=\"processes\" name=\(xmlAttribute(other.title))>\n"
      xml +=
        "      <error type=\"process\" message=\(xmlAttribute(other.title))>\(escapingXML(other.text))</error>\n"
      xml += "    </testcase>\n"
    }
    return xml + "  </testsuite>\n"
  }

  private func firstLine(_ text: String) -> String {
    String(text.split(separator: "\n", maxSplits: 1).first ?? "")
  }

  private func seconds(_ time: Double) -> String {
    let milliseconds = Int((time * 1000).rounded())
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }
}
