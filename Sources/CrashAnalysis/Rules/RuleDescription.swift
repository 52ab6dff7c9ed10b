import IncidentModel

/// What a rule says about itself: the source of `crashscan rules`, the docs and the reports' help.
package struct RuleDescription: Sendable {
  /// Stable: people write it into scripts.
  package let id: String
  /// The severity of its findings, unless a finding says otherwise.
  package let severity: Severity
  /// What it finds, in a few words.
  package let title: String
  /// Exactly when it fires.
  package let firesWhen: String
  /// How code comes to do this, and what follows.
  package let cause: String
  /// What in an input shows it.
  package let evidence: String
  /// What to do.
  package let fix: String
  /// Code that it finds.
  package let triggers: String
  /// Code that it leaves alone.
  package let spares: String
  /// What these two are written in.
  package var language = "swift"
}
