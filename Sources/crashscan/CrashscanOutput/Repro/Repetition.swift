import CrashAnalysis
import IncidentModel
import TextOutput

/// How to see what was found once more: a test, a breakpoint, a policy.
struct Repetition {
  /// A line each, in words that may stand in lines of their own.
  typealias Line = [VisibleText]

  private let defects: Defects
  /// The inputs that are logs of ours.
  private let logs: Set<String>
  /// The options that were given for reading the inputs, which the same finding takes again.
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
    // A report may be about code that no test in Swift runs, and no lldb.
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
          "breakpoint set --file \(file) --line \(line) stops lldb there, with the stack that leads to it"
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

  /// A path, so that no command takes it for an option.
  private static func operand(_ path: String) -> String {
    quoted(path.hasPrefix("-") && path != "-" ? "./" + path : path)
  }

  /// A word of a shell's, in quotes where it takes some.
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
