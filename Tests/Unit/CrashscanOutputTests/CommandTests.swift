import CrashAnalysis
import Foundation
import ProcessTesting
import Testing

/// The commands, run as people run them.
@Suite(.serialized) struct CommandTests {
  private func crashscan(_ arguments: String...) throws -> ChildProcess {
    try crashscan(arguments)
  }

  private func crashscan(_ arguments: [String]) throws -> ChildProcess {
    // Without a cache, which would keep the names of programs that a test removes.
    try ChildProcess.run("crashscan", arguments, environment: ["XDG_CACHE_HOME": "/dev/null"])
  }

  /// Runs a shell's command line in which `$0` is the program.
  private func shell(_ line: String, _ argument: String) throws -> ChildProcess {
    try ChildProcess.run(
      path: "/bin/sh", ["-c", line, "\(ChildProcess.directory)/crashscan", argument], [:])
  }

  @Test func findingsMakeItFail() throws {
    let log = try logOfMisbehaviour("hop-storm")
    #expect(try crashscan(log).status == 0, "a warning is below the bar")
    #expect(try crashscan(log, "--fail-on", "warning").status == 1)
    #expect(try crashscan(log, "--fail-on", "never").status == 0)
    #expect(try crashscan(log, "--fail-on", "note", "--ignore", "hop-storm").status == 0)
    #expect(try crashscan(log, "--fail-on", "note", "--only", "hop-storm").status == 1)
    #expect(try crashscan(log, "--only", "no-such-rule").status == 64)
  }

  @Test func inputThatCannotBeReadIsSaid() throws {
    let run = try crashscan("/nonexistent/x.log")
    #expect(run.status == 2)
    #expect(run.output.hasPrefix("/nonexistent/x.log: cannot be opened"))
    #expect(run.output.hasSuffix("no report was read\n"))
    #expect(run.errors.contains("/nonexistent/x.log"))
  }

  @Test(.enabled(if: OnTerminal.isAvailable, "needs script(1)"))
  func inputThatCannotBeReadIsSaidOnceOnATerminal() throws {
    for command in ["report", "explain"] {
      let run = try OnTerminal.crashscan(command, "/nonexistent/x.log")
      #expect(run.output.components(separatedBy: "cannot be opened").count == 2, "\(run.output)")
    }
  }

  /// Nothing found is a good sign in a build's console, and none in a text given by mistake.
  @Test(arguments: ["text", "html", "json", "sarif", "github", "gcc", "junit", "summary"])
  func textWithoutReportsIsNoCleanBillInAnyFormat(_ format: String) throws {
    let text = temporary("notes.txt")
    try "Nothing happened here.\n".write(toFile: text, atomically: true, encoding: .utf8)
    let complaint = "notes.txt: is neither a log nor a report in a format that crashscan reads"
    let run = try crashscan(text, "--format", format)
    #expect(run.status == 2)
    #expect(run.output.contains(complaint), "\(run.output)")
    #expect(run.errors.contains(complaint))
    let allowed = try crashscan(text, "--format", format, "--allow-empty")
    #expect(allowed.status == 0)
    #expect(!allowed.output.contains(complaint), "\(allowed.output)")
    let console = try crashscan(text, "--format", format, "--input", "console")
    #expect(console.status == 0)
    #expect(console.errors.isEmpty)
  }

  @Test func nothingReadIsCountedInJSON() throws {
    let empty = temporary("empty.txt")
    try "".write(toFile: empty, atomically: true, encoding: .utf8)
    for run in [
      try crashscan(empty, "--format", "json"), try shell("\"$0\" - --format json < \"$1\"", empty),
    ] {
      #expect(run.status == 2)
      #expect(run.output.contains("\"reports\":0"))
      #expect(run.output.contains("is empty"))
    }
  }

  /// Both are told: what was found in one input, and that nothing was recognised in another.
  @Test func findingsBesideAnInputWithoutReportsDoNotHideIt() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    let text = temporary("beside.txt")
    try "Nothing happened here.\n".write(toFile: text, atomically: true, encoding: .utf8)
    let run = try crashscan(log, text)
    #expect(run.status == 2)
    #expect(run.output.contains("off-main-ui"))
    #expect(run.output.contains("beside.txt: is neither"))
    #expect(try crashscan(log, text, "--allow-empty").status == 1)
  }

  @Test func whatASummaryCouldNotReadIsToldOfAllTogether() throws {
    let text = temporary("lost.txt")
    try "Nothing happened here.\n".write(toFile: text, atomically: true, encoding: .utf8)
    let summary = temporary("lost.json")
    #expect(try crashscan("summarize", text, "--output", summary).status == 2)
    let merged = try crashscan("merge", summary)
    #expect(merged.status == 2)
    #expect(merged.output.contains("lost.txt: is neither"))
  }

  @Test func symbolsThatAreNotThereAreSaid() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    #expect(try crashscan(log, "--symbols", "/nonexistent/symbols").status == 2)
    #expect(try !crashscan(log).output.contains("have no symbols"))
  }

  /// Linked without a build id, as Debian's compilers do: known by its file, while nobody touches that.
  @Test(.notUnderQemu("there /proc/self/exe is qemu to whoever asks by stat"))
  func aProgramWithoutABuildIDIsKnownByItsFile() throws {
    let log = temporary("bare.log")
    let home = URL(fileURLWithPath: log).deletingLastPathComponent()
    let program = home.appendingPathComponent("bare").path
    let bare = try ChildProcess.run(
      path: "/usr/bin/objcopy",
      ["--remove-section=.note.gnu.build-id", "\(ChildProcess.directory)/misbehave", program], [:])
    try #require(bare.status == 0, "\(bare.errors)")
    _ = try ChildProcess.run(path: program, ["unhopped-callback", "wrong", log], [:])
    let beside = try crashscan(log)
    #expect(beside.output.contains("unhoppedCallback"))
    #expect(!beside.output.contains("have no symbols"))
    let bundles = home.appendingPathComponent("symbols").path + "/"
    let kept = try crashscan("symbols", program, "--output", bundles)
    #expect(kept.status == 0 && kept.output.contains("without a build id"))
    #expect(kept.errors.contains("-Xlinker --build-id"))
    // The same bytes at the same place: but nobody can know that they are.
    let files = FileManager.default
    try files.copyItem(atPath: program, toPath: program + ".copy")
    try files.removeItem(atPath: program)
    try files.moveItem(atPath: program + ".copy", toPath: program)
    let unnamed = try crashscan(log)
    #expect(!unnamed.output.contains("unhoppedCallback"))
    #expect(unnamed.output.contains("was changed since; link the module with -Xlinker --build-id"))
    #expect(try findings(crashscan(log, "--symbols", bundles)) == findings(beside))
  }

  /// A program that is gone has no names, until one is told where its file went.
  @Test func framesWithoutNamesAreExplained() throws {
    let log = temporary("moved.log")
    let home = URL(fileURLWithPath: log).deletingLastPathComponent()
    let files = FileManager.default
    let program = home.appendingPathComponent("misbehave").path
    try files.copyItem(atPath: "\(ChildProcess.directory)/misbehave", toPath: program)
    _ = try ChildProcess.run(path: program, ["unhopped-callback", "wrong", log], [:])
    let symbols = home.appendingPathComponent("symbols").path
    try files.createDirectory(atPath: symbols, withIntermediateDirectories: true)
    let beside = try crashscan(log)
    let stripped = home.appendingPathComponent("stripped").path
    try files.createDirectory(atPath: stripped, withIntermediateDirectories: true)
    let strip = try ChildProcess.run(
      path: "/usr/bin/strip", ["-o", "\(stripped)/misbehave", program], [:])
    try #require(strip.status == 0, "\(strip.errors)")
    // By another name, as a release is kept.
    try files.moveItem(atPath: program, toPath: symbols + "/misbehave-1.4.2")
    let unnamed = try crashscan(log)
    #expect(unnamed.output.contains("frames of misbehave have no symbols: not found"))
    #expect(unnamed.output.contains("`crashscan symbols misbehave`"))
    #expect(!unnamed.output.contains("unhoppedCallback"))
    let without = try crashscan(log, "--symbols", stripped)
    #expect(without.output.contains("frames of misbehave have no symbols: its file is stripped"))
    let inJSON = try crashscan(log, "--format", "json")
    #expect(inJSON.errors.contains("frames of misbehave have no symbols: not found"))
    #expect(try findings(crashscan(log, "--symbols", symbols)) == findings(beside))
    // And by what was kept of it.
    let kept = try crashscan("symbols", symbols + "/misbehave-1.4.2", "--output", symbols + "/")
    #expect(kept.status == 0 && kept.output.contains("debug information from"), "\(kept.output)")
    try files.removeItem(atPath: symbols + "/misbehave-1.4.2")
    #expect(try findings(crashscan(log, "--symbols", symbols)) == findings(beside))
    let bundle = try #require(try files.contentsOfDirectory(atPath: symbols).first)
    #expect(bundle.hasSuffix(".symbols"))
    #expect(try findings(crashscan(log, "--symbols", "\(symbols)/\(bundle)")) == findings(beside))
  }

  /// What a report says, without the command that names its options.
  private func findings(_ tool: ChildProcess) -> [Substring] {
    tool.output.split(separator: "\n").filter { !$0.contains("crashscan repro") }
  }

  @Test func aBundleOfSymbolsThatCannotBeMadeIsExplained() throws {
    let folder = temporary("bundles")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let text = "\(folder)/text"
    try "no program".write(toFile: text, atomically: true, encoding: .utf8)
    let program = "\(ChildProcess.directory)/misbehave"
    for (arguments, status, message) in [
      ([text], 2, "not an executable or shared library"),
      (["\(folder)/nothing"], 2, "not found"),
      ([program, text, "--output", "\(folder)/one"], 64, "is not a directory"),
      ([program, "--output", "/nonexistent/a.symbols"], 2, "cannot be written"),
    ] {
      let tool = try crashscan(["symbols"] + arguments)
      #expect(tool.status == status && tool.errors.contains(message), "\(tool.errors)")
    }
    let bundle = "\(folder)/misbehave.symbols"
    #expect(try crashscan("symbols", program, "--output", bundle).status == 0)
    // Cut short, or of another version, it is of no use, and does no harm.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: bundle))
    bytes[7] &+= 1
    try bytes.write(to: URL(fileURLWithPath: bundle))
    let again = try crashscan("symbols", bundle)
    #expect(again.status == 2 && again.errors.contains("another version"), "\(again.errors)")
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")), .onATerminal)
  func linesAreNoLongerThanTheTerminalIsWide() throws {
    // A path stands whole, however long it is: alone on its line where it does not fit.
    let log = URL(fileURLWithPath: try logOfMisbehaviour("unhopped-callback"))
    let place = log.deletingLastPathComponent().path
    for options in ["", " --no-color"] {
      let output = try shell(
        "cd '\(place)' && script -qc \"stty cols 80; '$0' '$1'\(options)\" /dev/null",
        log.lastPathComponent
      ).output
      let plain = output.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
      let lines = plain.split(whereSeparator: \.isNewline)
      #expect(lines.count > 15)
      let long = lines.filter { $0.count > 80 && $0.split(separator: " ").count > 1 }
      #expect(long == [])
      #expect(lines.filter { $0.hasSuffix(" ") } == [])
    }
  }

  @Test func readableInputsAreReportedBesideOthers() throws {
    let run = try crashscan(logOfMisbehaviour("off-main-ui"), "/nonexistent/x.log")
    #expect(run.status == 2)
    #expect(run.output.contains("off-main-ui"))
  }

  @Test func findingsLeadAReportOnManyRuns() throws {
    let logs = try (0..<22).map { _ in try logOfMisbehaviour("off-main-ui") }
    let run = try crashscan(logs)
    #expect(run.output.hasPrefix("error off-main-ui, 44 times in 22 recordings\n"))
    let listed = run.output.split(separator: "\n").filter { $0.hasPrefix("misbehave (process ") }
    #expect(listed.count == 20)
    #expect(run.output.hasSuffix("\nand 2 older; --verbose lists all\n\n1 finding\n"))
    let all = try crashscan(logs + ["--verbose"])
    #expect(all.output.matches(of: #/(?m)^misbehave \(process /#).count == 22)
    let single = try crashscan(logs[0])
    #expect(single.output.hasPrefix("misbehave (process "))
  }

  @Test func baselineOfTheSameLogLeavesNothing() throws {
    let log = try logOfMisbehaviour("off-main-ui")
    let known = temporary("known.json")
    #expect(try crashscan(log, "--format", "json", "--output", known).status == 1)
    #expect(try crashscan(log, "--baseline", known).status == 0)
    #expect(try crashscan(logOfMisbehaviour("unhopped-callback"), "--baseline", known).status == 1)
  }

  @Test func reportFromPartsIsTheReportFromTheWhole() throws {
    let logs = try ["off-main-ui", "store-delegate", "hop-storm"].map(logOfMisbehaviour)
    let whole = try ChildProcess.run("crashscan", logs + ["--format", "json"])
    let parts = try logs.map { log in
      let part = temporary("part.json")
      let run = try crashscan("summarize", log, "--output", part)
      #expect(run.status == 0)
      return part
    }
    let merged = try ChildProcess.run("crashscan", ["merge"] + parts + ["--format", "json"])
    #expect(merged.output == whole.output)
    let pair = temporary("pair.json")
    _ = try crashscan("merge", parts[2], parts[0], "--format", "summary", "--output", pair)
    #expect(try crashscan("merge", parts[1], pair, "--format", "json").output == whole.output)
  }

  @Test func documentOfTheRulesIsWhatTheySay() throws {
    let document = Repository.root.appendingPathComponent("docs/reference/rules.md")
    let written = try String(contentsOf: document, encoding: .utf8)
    #expect(try crashscan("rules", "--markdown").output == written)
  }

  @Test func rulesExplainThemselves() throws {
    let list = try crashscan("rules")
    for rule in RuleBook.descriptions {
      #expect(list.output.contains(rule.id))
      #expect(try crashscan("rules", rule.id).output.contains("Leaves alone"))
    }
    #expect(try crashscan("rules", "no-such-rule").status == 64)
  }
}
