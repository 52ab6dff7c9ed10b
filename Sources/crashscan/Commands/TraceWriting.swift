import BreadcrumbLog
import CrashReports
import IncidentModel
import Reporting

/// A report's formats that show what happened and judge nothing.
enum TraceFormat: String {
  case perfetto, speedscope, collapsed

  init?(_ format: ReportFormat?) {
    guard let format, let trace = TraceFormat(rawValue: format.rawValue) else { return nil }
    self = trace
  }
}

/// Writes inputs as a trace or as stacks for a flame graph.
struct TraceWriting {
  let format: TraceFormat
  private let inputs: [InputFile]
  private let output: String?
  private let inputFormat: InputFormat?
  private let symbolDirectories: [String]

  init(_ format: TraceFormat, _ invocation: Invocation) throws(CommandFailure) {
    self.format = format
    inputs = try InputFiles.expand(invocation.operands)
    output = invocation[.output]
    inputFormat = invocation[.input]
    symbolDirectories = invocation.all(.symbols)
  }

  func run() throws(CommandFailure) -> ExitCode {
    switch format {
    case .perfetto: try writePerfetto()
    case .speedscope, .collapsed: try writeFlames()
    }
  }

  private func writePerfetto() throws(CommandFailure) -> ExitCode {
    guard inputs.count == 1, let input = inputs.first else {
      throw CommandFailure(
        message: "a trace is of one log, and these are \(inputs.count)", code: .usage)
    }
    let opened = try input.open()
    do {
      let source = try LogReader(path: opened.path).events()
      let file = try OutputFile(path: output)
      try PerfettoTrace(source, input: input.name, resolver: resolver) { file.write($0) }.write()
      try file.finish()
      return .nothingFound
    } catch {
      throw CommandFailure(message: message(of: error, input.name))
    }
  }

  /// Goes on past inputs that cannot be read, and says so.
  private func writeFlames() throws(CommandFailure) -> ExitCode {
    let flames = ViolationFlames(resolver: resolver)
    var hasFailed = false
    for input in inputs {
      do {
        let opened = try input.open()
        try forEachSource(opened.path, input.name) { try flames.add($0, input: input.name) }
      } catch {
        hasFailed = true
        tell(message(of: error, input.name))
      }
    }
    if hasFailed && flames.isEmpty { return .unreadableInput }
    let text = format == .collapsed ? flames.collapsed : flames.speedscope(crashscanVersion)
    let file = try OutputFile(path: output)
    Array(text.utf8).withUnsafeBytes { file.write($0) }
    try file.finish()
    return hasFailed ? .unreadableInput : .nothingFound
  }

  private func forEachSource(
    _ path: String, _ name: String, _ body: (any EventSource) throws -> Void
  ) throws {
    if inputFormat == .breadcrumbs || (inputFormat == nil && LogReader.recognises(path: path)) {
      return try body(LogReader(path: path).events())
    }
    try ReportFile(path: path, name: name, format: inputFormat?.report).forEach(body)
  }

  private func message(of error: any Error, _ name: String) -> VisibleText {
    switch error {
    case let failure as CommandFailure: failure.message
    case let failure as LogReadingError: "\(failure.description)"
    case let failure as ReportReadingError: "\(failure.description)"
    default: "\(name): \(String(describing: error))"
    }
  }

  private var resolver: StackResolver {
    StackResolver(naming: SymbolicatedFrames(symbolDirectories: symbolDirectories))
  }
}
