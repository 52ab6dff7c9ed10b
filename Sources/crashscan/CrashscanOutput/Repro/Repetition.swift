import CrashAnalysis
import IncidentModel
import TextOutput

/// Describes how to reproduce a finding: with a test, a breakpoint or a policy.
struct Repetition {
  /// A line, as words at which it may wrap.
  typealias Line = [VisibleText]

  private let defects: Defects
  /// The inputs that are breadcrumb logs.
  private let logs: Set<String>
  /// The options with which the inputs were read, which a command on the same finding repeats.
  private let options: [String]

  init(_ report: Report, reading options: [String]) {
    defects = Defects(report.entries)
    logs = Set(report.recordings.lazy.filter { $0.format == "breadcrumbs" }.map(\.input))
    self.options = options
  }

  func lines(for entry: Report.Entry) -> [Line] {
    let finding = entry.finding
    let same = defects.findings(like: finding)
    var lines: [Line] = []
    // A report may be about code that a Swift test or lldb cannot run.
    let isOurs = logs.contains(finding.input)
    let places = [finding.culprit] + finding.evidence.map(\.place)
    let language = isOurs ? nil : places.lazy.compactMap(\.self).compactMap(CodeLanguage.init).first
    if language?.isOfSwift ?? !finding.isUnseenChange,
      let story = ReproSchedule.first(of: same, LifecycleMoves())?.schedule.story
    {
      let command =
        ["crashscan", "repro", Self.operand(finding.input)]
        + options.map(Self.quoted) + ["--finding", entry.fingerprint]
      lines.append(
        command.map { VisibleText($0) } + VisibleText("writes a test that \(story.what)").words)
    }
    if language?.isNative ?? true, let culprit = finding.culprit, let line = culprit.line,
      let file = culprit.file?.split(separator: "/").last.map(String.init)
    {
      lines.append(
        VisibleText(
          "breakpoint set --file \(file) --line \(line) stops lldb at this line and shows the stack"
        ).words)
    }
    let broken: Set = ["off-main-ui", "wrong-executor", "unhopped-callback", "ui-after-background"]
    if isOurs, same.contains(where: { broken.contains($0.rule) }) {
      lines.append(
        VisibleText(
          "MAINSTAY_POLICY=log,record,trap ends the program at the first violation, with its stack"
        ).words)
    }
    return lines
  }

  /// Returns a path as an operand, so that no command parses it as an option.
  private static func operand(_ path: String) -> String {
    quoted(path.hasPrefix("-") && path != "-" ? "./" + path : path)
  }

  /// Returns a word, quoted for a shell if necessary.
  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        let scalar = UnicodeScalar(byte)
        return scalar.properties.isAlphabetic && byte < 0x80 || (0x30...0x39).contains(byte)
          || "/._-+,:@%=".unicodeScalars.contains(scalar)
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
