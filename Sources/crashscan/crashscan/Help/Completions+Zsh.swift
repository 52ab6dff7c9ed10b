extension Completions {
  func zsh() -> String {
    """
    #compdef crashscan
    # zsh completion for crashscan
    _crashscan() {
      local -a first=(
    \(firstWords.map { "    \(quoted("\($0.name):\($0.summary)"))\n" }.joined())  )
      local command=\(table.implicit.name)
      if ((CURRENT == 2)); then
        _describe -t commands command first
        _files
        return
      fi
      if [[ -n ${(M)first:#$words[2]:*} ]]; then
        command=$words[2]
        shift words
        ((CURRENT--))
      fi
      case $command in
    \(commands.map(branch).joined())    \(CommandTable.helpName))
          _values command \(commands.map { quoted($0.name) }.joined(separator: " ")) ;;
      esac
    }
    if [[ $funcstack[1] == _crashscan ]]; then _crashscan "$@"; else compdef _crashscan crashscan; fi

    """
  }

  private func branch(_ command: Command) -> String {
    let options = command.options.map(specification) + ["'--help[show this help]'"]
    let operands = command.operands.map { [specification($0)] } ?? []
    let lines = (options + operands).map { " \\\n        \($0)" }.joined()
    return "    \(command.name))\n      _arguments\(lines) ;;\n"
  }

  private func specification(_ option: OptionEntry) -> String {
    let star = option.isRepeatable ? "*" : ""
    let summary = "[\(bracketed(option.summary))]"
    guard let value = option.value else { return quoted("\(star)\(option.flag)\(summary)") }
    return quoted(
      "\(star)\(option.flag)=\(summary):\(value.placeholder):\(action(value.completion))")
  }

  private func action(_ completion: OptionEntry.Value.CompletionKind) -> String {
    switch completion {
    case .text: ""
    case .file: "_files"
    case .directory: "_files -/"
    case .choice(let choices): "(\(choices.joined(separator: " ")))"
    }
  }

  private func specification(_ operand: Command.Operand) -> String {
    let star = operand.count.upperBound > 1 ? "*" : ""
    switch operand.completion {
    case .file: return quoted("\(star):\(operand.placeholder):_files")
    case .process: return quoted("\(star):\(operand.placeholder):_pids")
    case .choice(let choices):
      return quoted("\(star):\(operand.placeholder):(\(choices.joined(separator: " ")))")
    }
  }

  /// Returns text for use in brackets, with colons and brackets escaped.
  private func bracketed(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }

  private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
