import IncidentModel

/// Says that a run ended abruptly, and what may have ended it.
final class UncleanEnd: Rule {
  static let about = RuleDescription(
    id: "unclean-end", severity: .warning,
    title: "The process ended abruptly",
    firesWhen: """
      A recording neither closed nor recorded a crash, and is no longer written. It says out of \
      memory where the log of the next run does: as certain, if the kernel then counted one such \
      kill more in the control group and no other process of it can have been the one; else as \
      probable. It says a hang where one was recorded and had not ended; otherwise that it was \
      killed or crashed unrecorded, possibly for lack of memory.
      """,
    cause: """
      SIGKILL: from the system when memory runs out or a hang lasts, from a supervisor, from a \
      person; or _exit, which leaves nothing either; or a crash without a crash handler; or \
      the machine went down.
      """,
    evidence: """
      The log's ending, the last crumbs, and memory and hang crumbs near the end.
      """,
    fix: """
      Install the crash handler if it was not, so that a crash can be told from a kill; look \
      into the kernel's log.
      """,
    triggers: "kill(getpid(), SIGKILL)",
    spares: "exit(0)")

  let interest = Interest()

  func finish(in scene: Scene) {
    let isSilent = [.sudden, .outOfMemory, .reboot].contains(scene.ending)
    guard isSilent || (scene.ending == .told && scene.hang != nil) else { return }
    scene.report(DraftKey(Self.about.id)) { finding(scene) }
  }

  private func finding(_ scene: Scene) -> Finding {
    let reading: (String, String) =
      switch scene.source.ending {
      case .outOfMemory(.certain): ("memory", "The process was killed for lack of memory")
      case .outOfMemory: ("memory", "The process was probably killed for lack of memory")
      default:
        scene.hang != nil
          ? ("hang", "The process hung and was then killed")
          : ("silent", "The process was killed, crashed unrecorded, or its machine went down")
      }
    var finding = Finding(
      rule: Self.about.id, severity: reading.0 == "silent" ? Self.about.severity : .error,
      title: reading.1, culprit: nil, api: nil, fix: fix(reading.0), identity: reading.0,
      defect: "end")
    if !scene.lifecycle.last.isEmpty {
      let since = scene.lastMonotonic &- scene.lifecycle.lastWhen.monotonic
      let when =
        since == 0
        ? "was the last crumb" : "came \(TimeSpan.text(nanoseconds: since)) before the last crumb"
      finding.evidence.append(Finding.Evidence("“\(scene.lifecycle.last)” \(when)"))
    }
    finding.evidence += memory(reading.0, scene)
    finding.nearby = scene.crumbs(before: scene.end)
    return finding
  }

  /// The evidence for a lack of memory. A warning of it may or may not come before the kernel kills, so
  /// it makes no verdict.
  private func memory(_ kind: String, _ scene: Scene) -> [Finding.Evidence] {
    var evidence: [Finding.Evidence] = []
    switch scene.source.ending {
    case .outOfMemory(let certainty):
      let who =
        certainty == .certain ? "no other process was in it" : "it may have been another process"
      let text = "the next run found one such kill more in its control group; \(who)"
      evidence.append(Finding.Evidence("how sure: \(certainty): \(text)"))
    case .killed where kind == "silent":
      evidence.append(
        Finding.Evidence("for lack of memory: possible; the log of the next run tells more"))
    default: break
    }
    let near = scene.options.thresholds.nearEnd
    if let short = scene.lifecycle.shortOfMemory, scene.lastMonotonic &- short < near {
      let time = TimeSpan.text(nanoseconds: scene.lastMonotonic &- short)
      evidence.append(Finding.Evidence("memory ran short \(time) before the last crumb"))
    }
    return evidence
  }

  private func fix(_ kind: String) -> Finding.Fix {
    switch kind {
    case "memory":
      Finding.Fix("Look for what grew before the end; the kernel's log names its size.")
    case "hang": Finding.Fix("Look at what held the main queue when the hang began.")
    default:
      Finding.Fix("Install the crash handler, so that a crash can be told from a kill.")
    }
  }
}
