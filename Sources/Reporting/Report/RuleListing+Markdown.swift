import CrashAnalysis

extension RuleListing {
  /// All rules in full, as docs/rules.md has them.
  package static func markdown(_ rules: [RuleDescription]) -> String {
    var text = """
      # The rules

      By these `crashscan` judges what it reads. Each has an id that stays what it is, and a law that says exactly when it \
      speaks; `crashscan rules ID` shows the same text. Where a rule cannot be certain it says nothing, or says how sure it is.

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

    **Law.** \(rule.law)

    **Cause.** \(rule.cause)

    **Evidence.** \(rule.evidence)

    **Mend.** \(rule.mend)

    It finds:

    ```swift
    \(rule.triggers)
    ```

    It leaves alone:

    ```swift
    \(rule.spares)
    ```

    """
  }
}
