import CrashscanOutput
import DeathRecords
import LogReading
import TextOutput

/// The report formats that show events without a verdict.
enum TraceFormat: String {
  case perfetto, speedscope, collapsed

  init?(_ format: ReportFormat?) {
    guard let format, let trace = TraceFormat(rawValue: format.rawValue) else { return nil }
    self = trace
  }
}

/// Writes inputs as a trace, or as stacks for a flame graph.
struct TraceWriting {
  let format: TraceFormat
  private let operands: [String]
  private let output: String?
  private let invocation: Invocation
  private let symbolDirectories: [String]

  init(_ format: TraceFormat, _ invocation: Invocation) throws(CommandFailure) {
    try invocation.checkOutput()
    self.format = format
    operands = invocation.operands
    output = invocation[.output]
    self.invocation = invocation
    symbolDirectories = invocation.all(.symbols)
  }

  func run() throws(CommandFailure) -> ExitCode {
    switch format {
    case .perfetto: try writePerfetto()
    case .speedscope, .collapsed: try writeFlames()
    }
  }

  private func writePerfetto() throws(CommandFailure) -> ExitCode {
    guard operands.count == 1 else {
      throw CommandFailure(
        message: "a trace needs exactly one log, but got \(operands.count)", code: .usage)
    }
    if (output ?? "-") == "-", Terminal.isOutput {
      throw CommandFailure(
        message: "a Perfetto trace is binary and is not written to a terminal; add --output FILE",
        code: .usage)
    }
    let input = InputFile(invocation)
    do {
      let opened = try input.open()
      let source = try LogReader(path: opened.path, name: input.name).events()
      let file = try OutputFile(path: output)
      try PerfettoTrace(source, input: input.name, resolver: resolver) { file.write($0) }.write()
      try file.finish()
      if let flaw = opened.flaw { throw flaw }
      return .nothingFound
    } catch {
      throw CommandFailure(message: Inputs.message(of: error, input.name))
    }
  }

  /// Writes flame graphs; reports unreadable inputs and continues.
  private func writeFlames() throws(CommandFailure) -> ExitCode {
    let flames = ViolationFlames(resolver: resolver)
    var hasFailed = false
    for operand in operands {
      Inputs(operand, invocation).forEachSource {
        try flames.add($0, input: $1)
      } failed: {
        hasFailed = true
        tell($1)
      }
    }
    if hasFailed && flames.isEmpty { return .unreadableInput }
    if flames.hasNoViolation { tell("no violation was recorded, so the flame graph is empty") }
    let text = format == .collapsed ? flames.collapsed : flames.speedscope(mainstayVersion)
    let file = try OutputFile(path: output)
    Array(text.utf8).withUnsafeBytes { file.write($0) }
    try file.finish()
    return hasFailed ? .unreadableInput : .nothingFound
  }

  private var resolver: StackResolver {
    StackResolver(symbols: SymbolicatedFrames(symbolDirectories: symbolDirectories))
  }
}
