import CrashAnalysis
import IncidentModel
import IsolationAudit

/// Converts audited places to findings, which have a severity, a fingerprint and a fix.
struct AuditFindings {
  let binary: String

  func findings(_ places: [AuditedPlace]) -> [Finding] {
    var counts: [String: Int] = [:]
    return places.map { place in
      // A fingerprint must not depend on lines: equal places in one function are numbered.
      let key = "\(place.kind) \(place.check ?? "") \(place.trail.first ?? "")"
      let count = counts["\(place.function) \(key)", default: 0]
      counts["\(place.function) \(key)"] = count + 1
      return finding(place, identity: count == 0 ? key : "\(key) \(count + 1)")
    }
  }

  private func finding(_ place: AuditedPlace, identity: String) -> Finding {
    let module = binary.split(separator: "/").last.map(String.init) ?? binary
    let culprit = CodePlace(
      function: place.function, module: module, file: place.file, line: place.line)
    var finding = Finding(
      rule: place.rule.id, severity: place.severity, title: place.title, culprit: culprit,
      api: place.trail.last, fix: Finding.Fix(place.change), identity: identity, defect: "")
    finding.input = binary
    if let call = place.call {
      finding.evidence.append(Finding.Evidence("this call takes it", place: call))
    }
    if let reason = place.reason { finding.evidence.append(Finding.Evidence(reason)) }
    return finding
  }
}

extension AuditedPlace {
  var rule: RuleDescription {
    switch kind {
    case .closure, .function: AuditRules.closure
    case .witness: AuditRules.conformance
    case .assumption, .queue, .library: AuditRules.check
    }
  }

  var severity: Severity {
    switch rank {
    case .elsewhere: .error
    case .kept: .warning
    case .here: .note
    }
  }

  /// The actor in a sentence.
  private var home: String {
    switch actor {
    case nil: instanceActor.map { "the actor \($0)" } ?? "an actor"
    case "MainActor": "the main actor"
    case let actor?: actor
    }
  }

  /// The subject of a sentence about the place.
  var subject: String {
    switch kind {
    case .closure: "\(function) is isolated to \(home)"
    case .function: "\(function), a function of \(home), is passed as a closure"
    case .witness:
      "\(conformance?.type ?? "a type"), isolated to \(home), implements \(function) with @preconcurrency"
    case .assumption: "\(check ?? "a check") in \(function)"
    case .queue: "dispatchPrecondition in \(function)"
    case .library: "a check of Mainstay in \(function)"
    }
  }

  /// The way from the creation to the call, as a clause; nil if the place is not handed over.
  var way: String? {
    guard let first = trail.first else { return nil }
    let rest = trail.dropFirst().map { ", then to \($0)" }.joined()
    let end =
      switch rank {
      case .elsewhere: reason.map { ": \($0)" } ?? ", which calls it elsewhere"
      case .kept: reason.map { ": \($0)" } ?? ", which keeps it or may keep it"
      case .here: reason.map { ": \($0)" } ?? ", which calls it before it returns"
      }
    return "handed to \(first)\(rest)\(end)"
  }

  var title: String {
    if let way { return "\(subject); \(way)" }
    switch kind {
    case .witness:
      return "\(subject)" + (reason.map { "; \($0)" } ?? "; its callers decide where it runs")
    default: return subject
    }
  }

  /// The proposed change, one sentence.
  var change: String {
    let hop = actor.map { "Task { @\($0) in … }" } ?? "a Task that awaits the actor"
    let other = actor == "MainActor" ? ", or let the API call back on the main queue" : ""
    switch (kind, rank) {
    case (.closure, .here), (.function, .here):
      return "Nothing, as long as \(enclosing) itself runs on \(home)."
    case (.closure, .elsewhere):
      return "Make the closure @Sendable and hop inside: \(hop)\(other)."
    case (.function, .elsewhere): return "Pass a @Sendable closure that hops: \(hop)\(other)."
    case (.closure, .kept), (.function, .kept):
      return "If \(receiver) can call it elsewhere, pass a @Sendable closure that hops: \(hop)."
    case (.witness, _):
      return """
        Unless every caller runs on \(home), declare it nonisolated and hop inside (\(hop)), or, if it returns a value, \
        isolate the conformance to the actor.
        """
    case (_, .here):
      return "Nothing, as long as every caller of \(enclosing) runs where the check demands."
    case (.queue, _): return "Make sure that the code runs on the queue that it demands."
    case (_, .elsewhere): return "Replace the check by a hop: \(hop)\(other)."
    default: return "If the code can run elsewhere, replace the check by a hop: \(hop)."
    }
  }

  /// The last named function that receives the closure.
  private var receiver: String {
    trail.last { !$0.hasPrefix("a function that") && !$0.hasPrefix("Array.") } ?? "its receiver"
  }

  /// The function around a closure.
  private var enclosing: String {
    function.split(separator: " in ").last.map(String.init) ?? function
  }
}
