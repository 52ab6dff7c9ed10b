import Foundation
import ProcessTesting
import Testing

@Suite("A death that crashscan shows", .enabled(if: !isSanitized))
struct ShownDeathTests {
  @Test(
    "Each way to die has its kind",
    arguments: [
      ("fatal-error", "fatal-error", Trap.name), ("nil", "unwrapped-nil", Trap.name),
      ("null-read", "null", "SIGSEGV"), ("abort", "aborted", "SIGABRT"),
      ("double-free", "heap-corruption", "SIGABRT"),
      ("stack-overflow", "stack-overflow", "SIGSEGV"),
      ("main-sync-on-main", "deadlock", Trap.name), ("quit", "sent", "SIGQUIT"),
    ])
  func kinds(_ way: String, _ kind: String, _ signal: String) throws {
    let death = try Death(Death.shown(Death.log(of: way)).output)
    #expect(death.schema == "crashscan-death/1" && death.ending == "crashed")
    #expect(death.kind == kind || (kind == "deadlock" && !Toolchain.hasWholeLibraries))
    #if arch(x86_64)
      #expect(death.signal?.name == signal)
    #else
      #expect(death.signal != nil)
    #endif
    #expect(death.stack?.frames.isEmpty == false)
    #expect(death.crumbs.contains { $0.message == "about to die" })
    let all = Set(death.modules.map { $0.path.split(separator: "/").last.map(String.init) })
    #expect(all.contains("victim"))
  }

  @Test(
    "One of which the log has no word has no signal and no stack",
    arguments: [
      ("killed", "killed", "unclean-end"), ("hang-then-killed", "killed-in-hang", "main-blocked"),
    ])
  func wordless(_ way: String, _ kind: String, _ rule: String) throws {
    let death = try Death(Death.shown(Death.log(of: way)).output)
    #expect(death.kind == kind && death.ending == "sudden")
    #expect(death.rule == rule)
    #expect(death.signal == nil && death.stack == nil)
  }

  @Test("It has names, async callers, and what withCrumbs gave where it died")
  func all() throws {
    let death = try Death(Death.shown(Death.log(of: "task-with-context", at: "task")).output)
    #expect(death.context.map(\.key) == ["order", "item"])
    #expect(death.context.map(\.type) == ["integer", "string"])
    #expect(death.functions.contains("die_null_read"))
    let callers = death.stack?.frames.filter(\.isAsyncCaller).flatMap(\.functions) ?? []
    #expect(callers.contains { $0.name.hasPrefix("closure #") })
  }

  @Test(
    "A run that did not fail gives nothing, and says so",
    arguments: ["clean", "terminated", "recovered"], ["death", "otlp", "sentry-envelope"])
  func none(_ way: String, _ format: String) throws {
    let shown = try Death.shown(Death.log(of: way), format)
    #expect(shown.status == 0 && shown.output.isEmpty)
    #expect(shown.errors.contains("the run did not fail ("))
  }

  @Test("A run that goes on gives nothing")
  func running() throws {
    let log = TestFiles.path("breadcrumbs.log")
    let service = try Program("past-deaths-trial", [log, "say", "wait"])
    #expect(service.wait(for: "here"))
    let shown = try Death.shown(log)
    #expect(shown.status == 0 && shown.output.isEmpty)
    #expect(shown.errors.contains("(running)"))
    service.letGoOn()
    #expect(service.end().exitStatus == 0)
  }

  @Test("All forms have one id, the same each time")
  func id() throws {
    let log = try Death.log(of: "null-read")
    let death = try Death(Death.shown(log).output)
    #expect(death.id.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    for format in ["death", "otlp", "sentry-envelope", "sentry"] {
      let (one, other) = (try Death.shown(log, format), try Death.shown(log, format))
      #expect(one.output == other.output && one.output.contains(death.id), "\(format)")
    }
  }

  @Test("One for which no fix is known has null instead of a text")
  func noFix() throws {
    let log = try Death.log(of: "null-read")
    for format in ["death", "sentry-envelope"] {
      let shown = try Death.shown(log, format).output
      #expect(shown.contains("\"fix\":null"), "\(shown)")
    }
  }

  @Test("Without names it has the same build fingerprint, and is counted as the same crash")
  func withoutNames() throws {
    let directory = TestFiles.directory()
    let program = "\(directory)/victim"
    try FileManager.default.copyItem(atPath: "\(ChildProcess.directory)/victim", toPath: program)
    let logs = ["\(directory)/one.log", "\(directory)/other.log"]
    for log in logs {
      _ = try ChildProcess.run(
        path: program, ["null-read", "main", log], ["SWIFT_BACKTRACE": "enable=no"])
    }
    func crashscan(_ words: String...) throws -> String {
      try ChildProcess.run("crashscan", words, environment: ["XDG_CACHE_HOME": "/dev/null"]).output
    }
    let named = try crashscan("summarize", logs[0])
    let whole = try Death(crashscan("show", logs[0], "--format", "death"))
    try FileManager.default.removeItem(atPath: program)
    let bare = try Death(crashscan("show", logs[0], "--format", "death"))
    #expect(whole.functions.contains("die_null_read") && !bare.functions.contains("die_null_read"))
    #expect(whole.buildFingerprint != nil && whole.buildFingerprint == bare.buildFingerprint)

    try named.write(toFile: "\(directory)/one.json", atomically: true, encoding: .utf8)
    try crashscan("summarize", logs[1])
      .write(toFile: "\(directory)/other.json", atomically: true, encoding: .utf8)
    let report = try crashscan(
      "merge", "\(directory)/one.json", "\(directory)/other.json", "--format", "json", "--only",
      "crash-cause")
    let findings = try JSONDecoder().decode(Findings.self, from: Data(report.utf8)).findings
    #expect(findings.map(\.recordings) == [2], "\(report)")
    #expect(findings.first?.culprit?.function == "die_null_read")
  }

  private struct Findings: Decodable {
    struct Culprit: Decodable { var function: String }
    struct Finding: Decodable {
      var recordings: Int
      var culprit: Culprit?
    }
    var findings: [Finding]
  }

  @Test("--last takes fewer crumbs, and options for lists of crumbs are refused")
  func options() throws {
    let log = try Death.log(of: "null-read")
    #expect(try Death(Death.shown(log, "death", ["--last", "0"]).output).crumbs.isEmpty)
    #expect(try Death(Death.shown(log, "death", ["--last", "1"]).output).crumbs.count == 1)
    for option in [["--follow"], ["--thread", "a"], ["--category", "a"], ["--since", "3s"]] {
      let shown = try Death.shown(log, "otlp", option)
      #expect(shown.status == 64 && shown.output.isEmpty && shown.errors.contains(option[0]))
    }
  }
}

/// Validators that are not ours: `Tests/EndToEnd/Deaths/check-death`, where `scripts/setup check` has installed what it needs.
@Suite("Others take a death", .enabled(if: Others.areThere, "needs scripts/setup check"))
struct OtherValidatorTests {
  private static let formats = ["death", "otlp", "sentry-envelope"]

  @Test(
    "In all forms",
    arguments: ["fatal-error", "task-with-context", "killed", "uncaught-exception"].inShort(
      oneOf: 4), formats)
  func accepted(_ way: String, _ format: String) throws {
    let shown = try Death.shown(Death.log(of: way, at: way == "killed" ? "main" : "task"), format)
    let said = try Others.check(shown.output)
    #expect(said.status == 0 && said.output.contains(": accepted"), "\(said.everything)")
  }

  @Test("With context that is no tag, and names that Sentry refuses")
  func odd() throws {
    let log = TestFiles.path("breadcrumbs.log")
    _ = try ChildProcess.run(
      "past-deaths-trial", [log, "odd-context"],
      environment: [
        "SWIFT_BACKTRACE": "enable=no", "MAINSTAY_RELEASE": "a/b\\c", "MAINSTAY_ENVIRONMENT": "a b",
      ])
    for format in Self.formats {
      let shown = try Death.shown(log, format)
      #expect(shown.output.contains("service.name") || format != "otlp")
      let said = try Others.check(shown.output)
      #expect(said.status == 0 && said.output.contains(": accepted"), "\(said.everything)")
    }
  }

  @Test("They refuse what only looks like one", .long)
  func refused() throws {
    let log = try Death.log(of: "null-read")
    let changes: [(format: String, old: String, new: String)] = [
      ("otlp", "\"severityNumber\"", "\"severityNum\""),
      ("otlp", "\"app.crash.id\"", "\"app.crash.uid\""),
      ("otlp", "\"eventName\":\"app.crash\"", "\"eventName\":\"crash\""),
      ("otlp", "schemas/1.44.0", "schemas/1.440.0"),
      (
        "otlp", "{\"key\":\"process.pid\",\"value\":{\"intValue\":",
        "{\"key\":\"process.pid\",\"value\":{\"stringValue\":"
      ),
      ("sentry-envelope", "\"length\":", "\"length\":1"),
      ("sentry-envelope", "\"level\":\"fatal\"", "\"level\":\"mortal\""),
      ("sentry-envelope", "\"death.kind\":", "\"death kind\":"),
      ("death", "\"kind\":", "\"sort\":"),
    ]
    for change in changes {
      let text = try Death.shown(log, change.format).output
      let broken = text.replacing(change.old, with: change.new, maxReplacements: 1)
      try #require(broken != text, "\(change)")
      #expect(try Others.check(broken).status == 1, "\(change)")
    }
  }
}

private enum Others {
  private static let python = Repository.root.path + "/.build/tools/bin/python3"

  static let areThere =
    (try? ChildProcess.run(
      path: python,
      [
        "-c",
        "import sentry_relay, opentelemetry.proto.logs.v1.logs_pb2, opentelemetry.semconv.schemas",
      ]))?.status == 0

  static func check(_ text: String) throws -> ChildProcess {
    let file = TestFiles.path("death")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return try ChildProcess.run(
      path: python, [Repository.root.path + "/Tests/EndToEnd/Deaths/check-death", file])
  }
}
