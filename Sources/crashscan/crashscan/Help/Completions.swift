/// The shells that completions are written for.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

/// Writes what a shell needs to complete crashscan's command lines, from the table.
struct Completions {
  let table: CommandTable

  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash()
    case .zsh: zsh()
    case .fish: fish()
    }
  }

  /// Every command with its options, and those that all have.
  var commands: [Command] { table.commands }

  /// The words that may come first, with their summaries.
  var firstWords: [(name: String, summary: String)] {
    table.commands.map { ($0.name, $0.summary) } + [
      (CommandTable.helpName, "help on a command"), ("--help", "show help"),
      (CommandTable.versionFlag, "show the version"),
    ]
  }
}
