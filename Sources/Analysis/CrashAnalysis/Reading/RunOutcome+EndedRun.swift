import IncidentModel

extension RunOutcome {
  /// Creates the outcome from all facts of the analysis.
  init(_ run: EndedRun) {
    var facts = Facts(run.source.signs)
    facts.reporter = run.source.format
    if let crash = run.crash, crash.wasAskedFor(in: run) {
      // The crash recorder handled the signal, so the header's fields about other signals do not
      // apply.
      facts.signs = RunSigns()
      let sender = crash.crash.sender.map { " from process \($0.process)" } ?? ""
      facts.toldBy = crash.crash.name + sender
      self.init(.terminated(signal: crash.crash.signal), facts)
      return
    }
    facts.toldStatus = run.options.exitStatus
    facts.hung = run.hang?.executor.words
    facts.toldBy = run.lifecycle.toldBy
    facts.isHeldByServices = run.isHeldByServices
    facts.toldAgo = run.endsSince
    if let crash = run.recordedCrash {
      let said = crash.firstLines
      facts.death =
        crash.cause(in: run.source.process?.id) + (said.isEmpty ? "" : ": \(run.tidied(said))")
    }
    self.init(run.ending, facts)
  }
}
