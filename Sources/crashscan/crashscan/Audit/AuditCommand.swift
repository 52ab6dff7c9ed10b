import CrashscanOutput
import IncidentModel
import IsolationAudit
import TextOutput

extension Command {
  /// The command that finds the places of a program that can trap by isolation.
  static let audit = Command(
    name: "audit", summary: "the places of a program that can trap by isolation",
    discussion: [
      "A closure that inherits the main actor traps at its entry if it is called elsewhere. crashscan reads the "
        + "machine code of BINARY, without running it and without its sources, and lists the closures, functions, "
        + "conformances and checks that can trap. For closures it follows the code to the call that takes the "
        + "closure, and into the program's own functions.",
      "Errors are handed to code that is known to call elsewhere. Warnings are kept, or handed to code that is not "
        + "known. Notes are called in place or on the main queue.",
      "x86-64 only. BINARY needs its symbol table; with debug information, calls have files and lines.",
    ],
    examples: [
      Example(
        line: "crashscan audit .build/release/service",
        summary: "List the places in this service that can trap, the most likely first."),
      Example(
        line: "crashscan audit .build/debug/service --fail-on warning --baseline known.json",
        summary: "Fail on new places that are not known to be safe."),
      Example(
        line:
          "crashscan audit service --callbacks callbacks.txt --format sarif --output audit.sarif",
        summary: "With the project's own table of callbacks, for code scanning."),
    ],
    operands: Operand(placeholder: "BINARY", completion: .file, count: 1...1_000_000),
    options: [Option<AuditFormat>.auditFormat.entry]
      + ReportWriting.options.filter { $0.name != "format" }
      + [Option.callbacks.entry, Option.symbols.entry],
    run: { invocation in
      do throws(CommandFailure) {
        return try auditing(invocation)
      } catch {
        tell("\(error.message)")
        return error.code
      }
    })
}

/// The format of an audit.
enum AuditFormat: String, CaseIterable, Sendable {
  case text, json, sarif, github, gcc

  var ofReport: ReportFormat {
    switch self {
    case .text: .text
    case .json: .json
    case .sarif: .sarif
    case .github: .github
    case .gcc: .gcc
    }
  }
}

extension Option where Value == AuditFormat {
  fileprivate static let auditFormat = Option(
    oneOf: "format", takes: "FORMAT",
    summary: "Output format: text (the default), json, sarif, github or gcc",
    discussion: """
      json is described by docs/report-schema.json, sarif is for code scanning, github are annotations of a workflow, \
      gcc is diagnostics of a compiler for editors.
      """)
}

extension Option where Value == String {
  fileprivate static let callbacks = Option(
    "callbacks", takes: "FILE", "a file", completion: .file, isRepeatable: true,
    summary: "Also use the callback table FILE",
    discussion: """
      A line of FILE is `PLACE | NAME | RULE`. PLACE is elsewhere, main, inline (before the call returns) or kept \
      (later, unknown). NAME is the function that takes the closure, as in the report; * matches any text. RULE is a \
      clause for the report and may be missing. # begins a comment. Lines of FILE precede the known functions.
      """,
    read: { $0 })
}

private func auditing(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
  let writing = try ReportWriting(
    invocation, format: (invocation[.auditFormat] ?? .text).ofReport)
  try invocation.checkOutput()
  var callbacks = CallbackTable()
  for path in invocation.all(.callbacks) {
    let text = String(decoding: try WholeFile.read(path), as: UTF8.self)
    do throws(CallbackTable.LineError) { try callbacks.add(text) } catch {
      throw CommandFailure(
        message: """
          \(path): line \(error.line) is not PLACE | NAME | RULE with a PLACE of elsewhere, main, inline or kept: \
          '\(error.text)'
          """, code: .usage)
    }
  }
  var findings: [Finding] = []
  var places: [AuditedPlace] = []
  var unread: [(input: String, why: String)] = []
  for path in invocation.operands {
    do throws(Audit.Failure) {
      var audit = try Audit(
        of: path, symbolDirectories: invocation.all(.symbols), callbacks: callbacks)
      let found = audit.places()
      findings += AuditFindings(binary: path).findings(found)
      places += found
    } catch {
      let why = error.words
      tell("\(path): \(why)")
      unread.append((path, why))
    }
  }
  let read = invocation.operands.filter { path in !unread.contains { $0.input == path } }
  if read.isEmpty, invocation[.auditFormat] ?? .text == .text { return .unreadableInput }
  let status = try writing.write(findings, unread: unread) { report, layout, isVerbose in
    AuditText(layout: layout, isVerbose: isVerbose)
      .text(Array(zip(report.entries, places)), of: read)
  }
  return unread.isEmpty ? status : .unreadableInput
}

extension Audit.Failure {
  fileprivate var words: String {
    switch self {
    case .unreadable(.unreadable(let reason)): reason
    case .unreadable(let status): "\(status)"
    case .otherMachine: "crashscan audit reads only x86-64 code; audit a build for x86-64"
    case .noSymbols:
      "the file has no symbol table; audit the file before strip, or pass its debug file with --symbols"
    }
  }
}
