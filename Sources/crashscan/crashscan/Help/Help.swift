import TextOutput

/// Formats the text of `--help`: examples first, then the rest.
struct Help {
  private static let width = 80

  let table: CommandTable

  /// Returns help on one command; for nil, an overview.
  func text(on command: Command?) -> String { command.map { help(on: $0) } ?? overview() }

  private func overview() -> String {
    let commands = table.commands.map { ($0.name, $0.summary) }
    let general = [
      ("-h, --help", "Show help, also on a command"),
      ("--version", "Show version, commit and formats"),
    ]
    return """
      crashscan: \(table.summary).

      Examples:
      \(examples(table.commands.compactMap(\.examples.first)))
      Usage:
        crashscan COMMAND [OPTIONS] …
        crashscan FILE [OPTIONS]    the same as crashscan \(table.implicit.name) FILE

      Commands:
      \(list(commands))
      Options:
      \(list(general))
      Exit status:
      \(list(ExitCode.allCases.map { ("\($0.rawValue)", $0.summary) }))
      Run crashscan help COMMAND for more.

      """
  }

  private func help(on command: Command) -> String {
    let discussion = command.discussion.map { wrapped($0, indent: 0) + "\n" }.joined()
    let options =
      command.options.map { ($0.usage, $0.summary + ($0.isRepeatable ? "; repeatable" : "")) }
      + [("-h, --help", "Show this help")]
    return """
      crashscan \(command.name): \(command.summary).

      Examples:
      \(examples(command.examples))
      Usage:
        \(usage(of: command))

      \(discussion)\(discussion.isEmpty ? "" : "\n")Options:
      \(list(options))
      """
  }

  /// Returns the usage line of a command.
  func usage(of command: Command) -> String {
    let options = command.options.isEmpty ? "" : " [OPTIONS]"
    return "crashscan \(command.name)\(operandUsage(of: command))\(options)"
  }

  private func operandUsage(of command: Command) -> String {
    guard let operands = command.operands else { return "" }
    let name = operands.placeholder + (operands.count.upperBound > 1 ? "…" : "")
    return operands.count.lowerBound == 0 ? " [\(name)]" : " \(name)"
  }

  private func examples(_ examples: [Command.Example]) -> String {
    examples.map { "  \($0.line)\n      \($0.summary)\n" }.joined()
  }

  /// Formats names and their meanings in two columns.
  private func list(_ rows: [(String, String)]) -> String {
    let column = min(rows.map(\.0.count).max() ?? 0, 22) + 4
    return rows.map { name, meaning in
      let text = wrapped(meaning, indent: column)
      if name.count > column - 4 { return "  \(name)\n\(text)\n" }
      let gap = String(repeating: " ", count: column - 2 - name.count)
      return "  \(name)\(gap)\(text.dropFirst(column))\n"
    }.joined()
  }

  private func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent && line.count + 1 + word.count > Self.width {
        lines.append(line)
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return (lines + [line]).joined(separator: "\n")
  }
}
