/// The shells for which completions exist.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

/// Writes shell completions for crashscan's command lines, from the table.
struct Completions {
  let table: CommandTable

  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash()
    case .zsh: zsh()
    case .fish: fish()
    }
  }

  /// All commands, each with its options and the common ones.
  var commands: [Command] { table.commands }

  /// The words that may come first, with their summaries.
  var firstWords: [(name: String, summary: String)] {
    table.commands.map { ($0.name, $0.summary) } + [
      (CommandTable.helpName, "help on a command"), ("--help", "show help"),
      (CommandTable.versionFlag, "show the version"),
    ]
  }
}
