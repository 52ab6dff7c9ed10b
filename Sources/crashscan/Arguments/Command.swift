/// What one command does, takes and is called: a row of the table.
struct Command: Sendable {
  /// What a command works on, without a name of its own.
  struct Operand: Sendable {
    /// What an operand is, for a shell that completes it.
    enum Nature: Sendable {
      case file
      case choice([String])
    }

    var placeholder: String
    var nature: Nature
    var count: ClosedRange<Int>
  }

  /// A use of the command, and what it does.
  struct Example: Sendable {
    var line: String
    var summary: String
  }

  var name: String
  /// One sentence without a stop.
  var summary: String
  /// What else there is to say: paragraphs.
  var discussion: [String] = []
  var examples: [Example]
  var operands: Operand?
  var options: [OptionEntry] = []
  var run: @Sendable (Invocation) -> ExitCode
}

/// How crashscan ends.
enum ExitCode: Int32, Sendable, CaseIterable {
  case nothingFound = 0
  case findings = 1
  case unreadableInput = 2
  case unrepeatable = 3
  case usage = 64

  /// What the help says of it.
  var summary: String {
    switch self {
    case .nothingFound: "no findings that count"
    case .findings: "findings that count"
    case .unreadableInput: "an input could not be read"
    case .unrepeatable: "no test can be written for this finding (repro)"
    case .usage: "wrong usage"
    }
  }
}
