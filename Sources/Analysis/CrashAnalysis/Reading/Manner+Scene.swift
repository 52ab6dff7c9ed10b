import IncidentModel

extension Manner {
  /// By all that an analysis knows of the run.
  init(_ scene: Scene) {
    var facts = Facts(scene.source.signs)
    facts.reporter = scene.source.format
    if let crash = scene.crash, crash.wasAskedFor(in: scene) {
      // The crash recorder took the signal: what the header says of others does not apply.
      facts.signs = RunSigns()
      let sender = crash.crash.sender.map { " from process \($0.process)" } ?? ""
      facts.toldBy = crash.crash.name + sender
      self.init(.terminated(signal: crash.crash.signal), facts)
      return
    }
    facts.hung = scene.hang?.executor.words
    facts.toldBy = scene.lifecycle.toldBy
    if let crash = scene.source.crash {
      let said = crash.firstLines
      facts.death = crash.cause(in: scene.source.process?.id) + (said.isEmpty ? "" : ": \(said)")
    }
    self.init(scene.ending, facts)
  }
}
