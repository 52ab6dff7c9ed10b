extension Command {
  /// The command that writes the man page.
  static let man = Command(
    name: "man", summary: "write the man page, crashscan(1)",
    examples: [
      Example(line: "crashscan man | man -l -", summary: "Read the man page.")
    ],
    run: { _ in
      var output = StandardOutput()
      output.write(ManPage(table: .crashscan).text())
      return .nothingFound
    })
}

extension Command {
  /// The command that writes completions for a shell.
  static let completions = Command(
    name: "completions", summary: "write completions for a shell",
    examples: [
      Example(
        line: "source <(crashscan completions bash)",
        summary: "Enable completions in this shell."),
      Example(
        line: "crashscan completions fish > ~/.config/fish/completions/crashscan.fish",
        summary: "Install completions for fish."),
    ],
    operands: Operand(
      placeholder: "SHELL", completion: .choice(Shell.allCases.map(\.rawValue)), count: 1...1),
    run: { invocation in
      guard let shell = Shell(rawValue: invocation.operands[0]) else { return .usage }
      var output = StandardOutput()
      output.write(Completions(table: .crashscan).script(for: shell))
      return .nothingFound
    })
}
