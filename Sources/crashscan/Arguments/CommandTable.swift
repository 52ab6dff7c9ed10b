/// The one table of commands: parsing, help, man page and completions all come from it.
struct CommandTable: Sendable {
  static let helpFlags = ["--help", "-h"]
  static let helpName = "help"
  static let versionFlag = "--version"

  /// One sentence without a stop.
  let summary = "find out why a Swift service crashed, hung or misbehaved"
  let commands: [Command]
  /// The command that is meant when none is named.
  let implicit: Command

  func command(named name: String) -> Command? { commands.first { $0.name == name } }

  /// What crashscan can do.
  static let crashscan: CommandTable = CommandTable(
    commands: [.report, .show, .watch, .rules, .summarize, .merge, .repro, .man, .completions],
    implicit: .report)
}
