import TextOutput

/// Writes `crashscan(1)` from the table, in the man macros.
struct ManPage {
  let table: CommandTable

  func text() -> String {
    let sections = [
      section("NAME", "crashscan \\- \(roff(table.summary))\n"),
      section("SYNOPSIS", synopsis()),
      section("DESCRIPTION", description()),
      section("EXAMPLES", examples()),
      section("COMMANDS", table.commands.map(command).joined()),
      section("EXIT STATUS", list(ExitCode.allCases.map { ("\($0.rawValue)", $0.summary) })),
      section("ENVIRONMENT", list(Self.environment)),
      section("FILES", list(Self.files)),
    ]
    let title = "CRASHSCAN 1 \(mainstayVersionDate) \"crashscan \(mainstayVersion)\" Mainstay"
    return ".TH \(title)\n" + sections.joined()
  }

  private static let environment = [
    ("NO_COLOR", "Disables colours if set and not empty."),
    ("TZ", "The time zone for times in output and options."),
    ("TMPDIR", "The folder for decompressed or piped input; by default /tmp."),
    (
      "XDG_CACHE_HOME",
      "Symbol indexes are cached in its folder mainstay, by default in ~/.cache/mainstay."
        + " They may be deleted at any time."
    ),
  ]

  private static let files = [
    ("breadcrumbs.log", "The log of a run; the service chooses the path."),
    ("breadcrumbs.1.log …", "Logs of earlier runs, newest first."),
  ]

  private func section(_ title: String, _ body: String) -> String { ".SH \(title)\n\(body)" }

  private func synopsis() -> String {
    let help = Help(table: table)
    let lines = table.commands.map { help.usage(of: $0) } + ["crashscan FILE [OPTIONS]"]
    return lines.map { line in
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      return ".B \(words[0])\n\(roff(words[1]))\n"
    }.joined(separator: ".br\n")
  }

  private func description() -> String {
    """
    .B crashscan
    reads the breadcrumb logs of services, after a crash and while they run.
    A file without a command is the same as
    .B crashscan \(table.implicit.name)
    and the file.
    .PP
    Findings and listings go to standard output, all other messages to standard error.
    crashscan does not trust a log: it escapes control characters, and opens only
    regular files of the recorded build as modules.

    """
  }

  private func examples() -> String {
    table.commands.flatMap(\.examples).map { example in
      ".TP\n.B \(roff(example.line))\n\(roff(example.summary))\n"
    }.joined()
  }

  private func command(_ command: Command) -> String {
    let paragraphs = ([command.summary.capitalisedSentence] + command.discussion)
      .map { "\(roff($0))\n" }
    let options = command.options.map { option in
      let value = option.value.map { " \\fI\(roff($0.placeholder))\\fR" } ?? ""
      let discussion = option.discussion.isEmpty ? "" : "\(roff(option.discussion))\n"
      return ".TP\n\\fB\(roff(option.flag))\\fR\(value)\n"
        + "\(roff(option.summary + (option.isRepeatable ? "; repeatable." : ".")))\n\(discussion)"
    }
    return ".SS \(roff(Help(table: table).usage(of: command)))\n"
      + paragraphs.joined(separator: ".PP\n") + options.joined()
  }

  private func list(_ rows: [(String, String)]) -> String {
    rows.map { ".TP\n.B \(roff($0.0))\n\(roff($0.1))\n" }.joined()
  }
}

extension String {
  fileprivate var capitalisedSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}

/// Returns text escaped for roff, so that no character starts a request or an escape.
private func roff(_ text: String) -> String {
  let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    .replacing("…", with: "...")
  return filled(escaped).map { line in
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }.joined(separator: "\n")
}

/// Returns lines of at most 80 characters, as man page linters expect.
private func filled(_ text: String) -> [String] {
  var lines = [""]
  for word in text.split(separator: " ") {
    if lines[lines.count - 1].count + 1 + word.count > 80 { lines.append("") }
    lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
  }
  return lines
}
