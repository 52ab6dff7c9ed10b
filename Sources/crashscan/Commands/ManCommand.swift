extension Command {
  /// The man page.
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
