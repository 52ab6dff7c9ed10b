extension Completions {
  /// Returns the bash script. It completes words by the preceding command, and values by the
  /// preceding option.
  func bash() -> String {
    """
    # bash completion for crashscan
    _crashscan() {
      local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command
      [[ $word == = ]] && word=
      [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}
      compopt -o filenames 2>/dev/null
      COMPREPLY=()
      if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(
          compgen -W '\(firstWords.map(\.name).joined(separator: " "))' -- "$word"
          [[ $word == -* ]] || compgen -f -- "$word")
        return
      fi
      command=${COMP_WORDS[1]}
      case $command in
        \(names.joined(separator: "|"))) ;;
        \(CommandTable.helpName))
          \(words(names))
          return ;;
        *) command=\(table.implicit.name) ;;
      esac
      case "$command $before" in
    \(values().joined())  esac
      if [[ $word == -* ]]; then
        case $command in
    \(commands.map(flags).joined())    esac
        return
      fi
      case $command in
    \(commands.map(operands).joined())  esac
    }
    complete -F _crashscan crashscan

    """
  }

  private var names: [String] { commands.map(\.name) }

  private func values() -> [String] {
    commands.flatMap { command in
      command.options.compactMap { option in
        option.value.map { value in
          "    '\(command.name) \(option.flag)')\n      \(reply(value.completion))\n      return ;;\n"
        }
      }
    }
  }

  private func reply(_ completion: OptionEntry.Value.CompletionKind) -> String {
    switch completion {
    case .text: ":"
    case .file: "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
    case .directory: "mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
    case .choice(let choices): words(choices)
    }
  }

  private func words(_ choices: [String]) -> String {
    "mapfile -t COMPREPLY < <(compgen -W '\(choices.joined(separator: " "))' -- \"$word\")"
  }

  private func flags(_ command: Command) -> String {
    "      \(command.name)) \(words(command.options.map(\.flag) + ["--help"])) ;;\n"
  }

  private func operands(_ command: Command) -> String {
    guard let operands = command.operands else { return "" }
    switch operands.completion {
    case .file: return "    \(command.name)) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
    case .process:
      return
        "    \(command.name)) mapfile -t COMPREPLY < <(compgen -W \"$(ps -eo pid=)\" -- \"$word\") ;;\n"
    case .choice(let choices): return "    \(command.name)) \(words(choices)) ;;\n"
    }
  }
}
