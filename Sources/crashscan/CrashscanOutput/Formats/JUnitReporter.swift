import CrashAnalysis
import IncidentModel
import TextOutput

/// Writes a report as JUnit XML: a suite for each rule, a failed case for each finding.
package struct JUnitReporter: Reporter {
  package init() {}

  package func write(_ report: Report) -> String {
    let fresh = report.entries.filter { !$0.isKnown }
    var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let failures = fresh.filter { $0.finding.severity > .note }.count
    let tests = RuleBook.descriptions.map { rule in
      max(1, fresh.filter { $0.finding.rule == rule.id }.count)
    }
    let errors = report.unread.count
    xml += "<testsuites name=\"crashscan\" tests=\"\(tests.reduce(errors, +))\""
    xml += " failures=\"\(failures)\" errors=\"\(errors)\">\n"
    if errors > 0 { xml += inputs(report.unread) }
    for rule in RuleBook.descriptions {
      xml += suite(rule, fresh.filter { $0.finding.rule == rule.id })
    }
    return xml + "</testsuites>\n"
  }

  private func suite(_ rule: RuleDescription, _ entries: [Report.Entry]) -> String {
    let failures = entries.filter { $0.finding.severity > .note }.count
    let id = xmlAttribute(rule.id)
    var xml =
      "  <testsuite name=\(id) tests=\"\(max(1, entries.count))\" failures=\"\(failures)\">\n"
    if entries.isEmpty {
      xml += "    <testcase classname=\(id) name=\(xmlAttribute(rule.title))/>\n"
    }
    for entry in entries { xml += testCase(entry) }
    return xml + "  </testsuite>\n"
  }

  /// Returns the suite of unreadable inputs, which are errors of the run, not test failures.
  private func inputs(_ unread: [(input: String, why: String)]) -> String {
    let cases = unread.map { input in
      """
          <testcase classname="inputs" name=\(xmlAttribute(input.input))>
            <error message=\(xmlAttribute(input.why))/>
          </testcase>

      """
    }
    return """
        <testsuite name="inputs" tests="\(unread.count)" failures="0" errors="\(unread.count)">
      \(cases.joined())  </testsuite>

      """
  }

  private func testCase(_ entry: Report.Entry) -> String {
    let finding = entry.finding
    let name = xmlAttribute("\(finding.title) [\(entry.fingerprint)]")
    let code = finding.fix.edits.flatMap { [$0.heading($0.file)] + $0.outdented }
    let content = ([finding.fix.text] + code).joined(separator: "\n")
    let kind = finding.severity == .note ? "system-out" : "failure"
    let message =
      finding.severity == .note
      ? ""
      : " type=\(xmlAttribute(finding.severity.rawValue)) message=\(xmlAttribute(finding.title))"
    return """
          <testcase classname=\(xmlAttribute(finding.rule)) name=\(name)>
            <\(kind)\(message)>\(escapingXML(content))</\(kind)>
          </testcase>

      """
  }
}
