import CrashAnalysis

extension RuleListing {
  /// All rules in full, as docs/rules.md has them.
  package static func markdown(_ rules: [RuleDescription]) -> String {
    var text = """
      # The rules

      `crashscan` judges what it reads by these rules. A rule's id does not change, so scripts can name it; `crashscan rules ID` \
      prints the same text as this page. Where a rule cannot be certain it stays silent, or says how sure it is.

      This file is written by `crashscan rules --markdown`.

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

    **Fires when.** \(rule.firesWhen)

    **Cause.** \(rule.cause)

    **Evidence.** \(rule.evidence)

    **Fix.** \(rule.fix)

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
