import IncidentModel

/// How a run ended, in words: what is certain of it, and no more.
struct Manner {
  let text: String

  init(_ scene: Scene) {
    let lifecycle = scene.lifecycle
    let signs = scene.source.signs
    switch scene.ending {
    case .running: text = "still running"
    case .crash: text = Self.crash(scene)
    case .clean: text = Self.exit(signs, by: lifecycle.toldBy)
    case .terminated:
      let asked = "was asked to end by \(Self.teller(scene))"
      text = signs.takesAsk ? asked + ", did not exit, and was killed or left by _exit" : asked
    case .outOfMemory: text = "was killed: out of memory"
    case .killedInHang: text = "hung and was then killed"
    case .killed where scene.hang != nil: text = "hung and was then killed"
    case .killed: text = "was killed, or left by _exit" + Self.doubt(signs)
    case .reboot: text = "ended abruptly; the machine has rebooted since"
    case .reported: text = "reported by \(scene.source.format)"
    case .cutShort: text = "its log was cut short while it ran"
    }
  }

  private static func crash(_ scene: Scene) -> String {
    guard let crash = CrashReading(in: scene), crash.wasAskedFor(in: scene) else {
      guard let crash = scene.source.crash else { return "crashed" }
      let said = crash.firstLines
      return "crashed, " + crash.cause(in: scene.source.process?.id)
        + (said.isEmpty ? "" : ": \(said)")
    }
    let sender = crash.crash.sender.map { " from process \($0.process)" } ?? ""
    return "was asked to end by \(crash.crash.name)\(sender)"
  }

  private static func exit(_ signs: RunSigns, by teller: String) -> String {
    let exited = signs.exitStatus.flatMap { $0 == 0 ? nil : "exited with status \($0)" }
    let how = exited ?? "exited normally"
    return teller.isEmpty ? how : "was asked to end by \(teller), and \(how)"
  }

  private static func teller(_ scene: Scene) -> String {
    if !scene.lifecycle.toldBy.isEmpty { return scene.lifecycle.toldBy }
    guard case .terminated(let signal) = scene.source.ending else { return "a signal" }
    return SignalName.of(signal)
  }

  /// What else it can have been where no crash would be on file.
  private static func doubt(_ signs: RunSigns) -> String {
    signs.hasCrashHandler == true ? "" : ", or it crashed where nothing records that"
  }
}
