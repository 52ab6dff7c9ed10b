import CrashAnalysis
import CrashscanOutput

extension Command {
  /// The command that lists the rules, or describes a rule in full.
  static let rules = Command(
    name: "rules", summary: "the rules of crashscan",
    examples: [
      Example(line: "crashscan rules", summary: "All rules, one line each."),
      Example(
        line: "crashscan rules unhopped-callback",
        summary: "One rule: its findings, the cause of such bugs, and the fix."),
    ],
    operands: Operand(
      placeholder: "RULE", completion: .choice(RuleBook.descriptions.map(\.id)), count: 0...1),
    options: [Option.markdown.entry, Option.noColor.entry],
    run: { invocation in
      let listing = RuleListing(layout: Terminal.layout(isPlain: invocation[.noColor]))
      var output = StandardOutput()
      if invocation[.markdown] {
        output.write(RuleListing.markdown(RuleBook.descriptions))
        return .nothingFound
      }
      if let id = invocation.operands.first, let rule = RuleBook.description(of: id) {
        output.write(listing.explanation(of: rule))
      } else {
        output.write(listing.list(RuleBook.descriptions))
      }
      return .nothingFound
    })
}

extension Option where Value == Bool {
  fileprivate static let markdown = Option(
    flag: "markdown", summary: "Write all rules in full, as Markdown")
}
