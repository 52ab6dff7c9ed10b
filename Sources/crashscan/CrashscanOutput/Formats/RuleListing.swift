import CrashAnalysis
import TextOutput

/// Formats the descriptions of the rules for people.
package struct RuleListing: Sendable {
  private let layout: TextLayout

  package init(layout: TextLayout) { self.layout = layout }

  /// Returns one line per rule.
  package func list(_ rules: [RuleDescription]) -> VisibleText {
    let width = rules.map(\.id.count).max() ?? 0
    return rules.map { rule in
      layout.palette(VisibleText(rule.id).padded(to: width), .heading) + "  "
        + VisibleText(rule.severity.rawValue).padded(to: 7) + "  \(rule.title)\n"
    }.joined(by: "")
  }

  /// Returns the full description of a rule.
  package func explanation(of rule: RuleDescription) -> VisibleText {
    var text =
      layout.palette("\(rule.id)", .heading) + " (\(rule.severity.rawValue)): \(rule.title)\n"
    text += section("Fires when", rule.firesWhen)
    text += section("Cause", rule.cause)
    text += section("Evidence", rule.evidence)
    text += section("Fix", rule.fix)
    text += code("Finds", rule.triggers)
    text += code("Leaves alone", rule.spares)
    return text
  }

  private func section(_ name: VisibleText, _ words: String) -> VisibleText {
    let words = VisibleText(words).words.map { (text: $0, role: TextRole.plain) }
    var narrow = layout
    narrow.width = min(layout.width ?? 80, 100)
    return "\n" + layout.palette(name, .heading) + "\n"
      + narrow.fill(head: "  ", headWidth: 2, words: words, indent: 2) + "\n"
  }

  private func code(_ name: VisibleText, _ code: String) -> VisibleText {
    code.split(separator: "\n", omittingEmptySubsequences: false).reduce(
      "\n" + layout.palette(name, .heading) + "\n"
    ) { $0 + "    \(String($1))\n" }
  }
}

extension RuleListing {
  /// Returns all rules in full, the text of docs/reference/rules.md.
  package static func markdown(_ rules: [RuleDescription]) -> String {
    var text = """
      # The rules

      `crashscan` applies these rules to its inputs. The id of a rule never changes, so scripts can use it; `crashscan rules ID` \
      prints the same text as this page. A rule without certain evidence reports nothing, or states the uncertainty.

      `crashscan rules --markdown` writes this file.

      | rule | severity | what it finds |
      |---|---|---|

      """
    for rule in rules {
      text += "| [\(rule.id)](#\(rule.id)) | \(rule.severity.rawValue) | \(rule.title) |\n"
    }
    for rule in rules { text += section(rule) }
    return text
  }

  private static func section(_ rule: RuleDescription) -> String {
    """

    ## \(rule.id)

    \(rule.title) (\(rule.severity.rawValue)).

    - **Fires when.** \(rule.firesWhen)
    - **Cause.** \(rule.cause)
    - **Evidence.** \(rule.evidence)
    - **Fix.** \(rule.fix)

    It finds:

    ```\(rule.language)
    \(rule.triggers)
    ```

    It leaves alone:

    ```\(rule.language)
    \(rule.spares)
    ```

    """
  }
}
