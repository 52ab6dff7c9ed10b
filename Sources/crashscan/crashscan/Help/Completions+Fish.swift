extension Completions {
  func fish() -> String {
    let first = firstWords.filter { !$0.name.hasPrefix("-") }.map { word in
      "complete -c crashscan -n __fish_use_subcommand -a \(quoted(word.name))"
        + " -d \(quoted(word.summary))\n"
    }
    let names = commands.map(\.name).joined(separator: " ")
    return """
      # fish completion for crashscan
      complete -c crashscan -n __fish_use_subcommand -l help -s h -d 'show help'
      complete -c crashscan -n __fish_use_subcommand -l version -d 'show the version'
      \(first.joined())\(commands.flatMap(lines).joined())\
      complete -c crashscan -n '__fish_seen_subcommand_from help' -f -a '\(names)'

      """
  }

  private func lines(_ command: Command) -> [String] {
    let condition = self.condition(command)
    var lines = command.options.map { option in
      "complete -c crashscan -n \(quoted(condition)) -l \(option.name)\(value(option))"
        + " -d \(quoted(option.summary))\n"
    }
    if case .choice(let choices)? = command.operands?.completion {
      lines.append(
        "complete -c crashscan -n \(quoted(condition)) -f"
          + " -a \(quoted(choices.joined(separator: " ")))\n")
    } else if case .process? = command.operands?.completion {
      lines.append(
        "complete -c crashscan -n \(quoted(condition)) -f -a '(__fish_complete_pids)'\n")
    } else if command.operands == nil {
      lines.append("complete -c crashscan -n \(quoted(condition)) -f\n")
    }
    return lines
  }

  /// Returns the fish condition under which `command`'s options complete. The implicit command also
  /// applies if the line names no command.
  private func condition(_ command: Command) -> String {
    guard command.name == table.implicit.name else {
      return "__fish_seen_subcommand_from \(command.name)"
    }
    let others = commands.map(\.name).filter { $0 != command.name } + [CommandTable.helpName]
    return "not __fish_seen_subcommand_from \(others.joined(separator: " "))"
  }

  private func value(_ option: OptionEntry) -> String {
    guard let value = option.value else { return "" }
    switch value.completion {
    case .text: return " -x"
    case .file: return " -r"
    case .directory: return " -x -a '(__fish_complete_directories)'"
    case .choice(let choices): return " -x -a \(quoted(choices.joined(separator: " ")))"
    }
  }

  private func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}
