/// A command: an entry of the table, with its name, operands, options and action.
struct Command: Sendable {
  /// The positional arguments of a command.
  struct Operand: Sendable {
    /// The kind of an operand, for completion by a shell.
    enum CompletionKind: Sendable {
      case file
      case process
      case choice([String])
    }

    var placeholder: String
    var completion: CompletionKind
    var count: ClosedRange<Int>
  }

  /// An example of the command, with its effect.
  struct Example: Sendable {
    var line: String
    var summary: String
  }

  var name: String
  /// The summary, one sentence without a full stop.
  var summary: String
  /// Further paragraphs of the help.
  var discussion: [String] = []
  var examples: [Example]
  var operands: Operand?
  var options: [OptionEntry] = []
  var run: @Sendable (Invocation) -> ExitCode
}

/// The exit codes of crashscan.
enum ExitCode: Int32, Sendable, CaseIterable {
  case nothingFound = 0
  case findings = 1
  case unreadableInput = 2
  case unrepeatable = 3
  case usage = 64

  /// The meaning of the exit code, for the help.
  var summary: String {
    switch self {
    case .nothingFound: "no findings at or above the --fail-on severity"
    case .findings: "findings at or above the --fail-on severity"
    case .unreadableInput: "an input could not be read, or has no known format"
    case .unrepeatable: "no test can be written for this finding (repro)"
    case .usage: "wrong usage"
    }
  }
}

/// A parsed command line: the values of options, and the operands.
struct Invocation: Sendable {
  private(set) var operands: [String] = []
  private var values: [String: [any Sendable]] = [:]

  /// Returns the values of an option, in order.
  func all<Value>(_ option: Option<Value>) -> [Value] {
    values[option.entry.name, default: []].compactMap { $0 as? Value }
  }

  /// The value of an option; the last one if there are several.
  subscript<Value>(option: Option<Value>) -> Value? { all(option).last }

  /// True if the option of this name was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// True if the flag was given.
  subscript(flag: Option<Bool>) -> Bool { values[flag.entry.name] != nil }

  mutating func add(_ value: any Sendable, to option: OptionEntry) {
    values[option.name, default: []].append(value)
  }

  mutating func add(operand: String) { operands.append(operand) }
}

/// The table of commands, from which the parser, help, man page and completions are derived.
struct CommandTable: Sendable {
  static let helpFlags = ["--help", "-h"]
  static let helpName = "help"
  static let versionFlag = "--version"

  /// The summary, one sentence without a full stop.
  let summary = "find out why a Swift service crashed, hung or misbehaved"
  let commands: [Command]
  /// The command that applies if the command line names none.
  let implicit: Command

  func command(named name: String) -> Command? { commands.first { $0.name == name } }

  /// The commands of crashscan.
  static let crashscan: CommandTable = CommandTable(
    commands: [
      .report, .explain, .show, .watch, .attach, .core, .run, .test, .audit, .rules, .summarize,
      .merge, .repro, .symbols, .man, .completions,
    ],
    implicit: .report)
}
