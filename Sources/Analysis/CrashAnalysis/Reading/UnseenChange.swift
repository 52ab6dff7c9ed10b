import IncidentModel

/// A toolkit's own thread check that failed without own code on the stack. An earlier change, or
/// one made through an animation, a binding or a timer, reached the toolkit on a wrong thread.
struct UnseenChange {
  /// The `defect` of all findings about an unseen change.
  static let defect = "unseen change"

  private let toolkit: Toolkit?
  private let place: String
  private let looper: CodePlace?
  /// The library that rejected the change, for an unknown toolkit.
  private let library: String
  /// True if a check rejected the change; false if the process crashed in the toolkit.
  private let isRefused: Bool

  /// Recognizes a death by an unseen change.
  ///
  /// - Parameter home: The expected thread, from the check or from the violation in the report.
  /// - Returns: nil if own code is on the stack, or if no frame has a name.
  init?(_ crash: CrashReading, _ home: Home?, in run: RunState) {
    let reading = crash.reading
    guard crash.isForeignReport, crash.crash.thread?.onMain != .yes, reading.lateCommit == nil,
      reading.isWithoutOwnPart, crash.frames.contains(where: \.isNamed),
      let home, home.isOfMain || home == .owner, reading.toolkit != nil || home.isOfMain
    else { return nil }
    toolkit = reading.toolkit
    place =
      crash.queue.map { "queue \($0)" }
      ?? (crash.isThreadTold ? crash.thread(in: run) : "a thread that the report does not name")
    looper = reading.looper?.place
    let module = crash.frames.first { frame in
      ["UIKit", "AppKit", "WebCore", "WebKit", "QuartzCore"].contains(
        where: frame.place.module.hasPrefix)
    }?.place.module
    library = module.map { $0 == "UIKitCore" ? "UIKit" : $0 } ?? "a library"
    isRefused = ![7, 11].contains(crash.crash.signal)
  }

  var title: String {
    let name = toolkit?.name ?? library
    let effect = isRefused ? "\(name) refused the call" : "the process died in \(name)"
    return
      "UI was touched on \(place), off \(home), and \(effect): the code that caused the call is not on this stack"
  }

  private var home: String { toolkit?.thread ?? "the main thread" }

  /// Returns the reason why there is no culprit line, and the possible causes.
  ///
  /// - Parameter crumbs: The crumbs before the fault.
  func evidence(
    _ crash: CrashReading, _ crumbs: [Finding.Nearby], in run: RunState
  ) -> [Finding.Evidence] {
    let check = crash.frames.first { ThreadCheckName.matches($0.place.function) }
    var evidence = [
      Finding.Evidence(
        "the stack has no function of the program: the code that caused the call returned earlier, or handed "
          + "the work to this thread")
    ]
    if let check { evidence.append(Finding.Evidence("the check that failed", place: check.place)) }
    if let looper {
      evidence.append(
        Finding.Evidence("candidate: the work of this thread, whose loop runs in", place: looper))
    }
    return evidence + Candidates.evidence(crash, crumbs, in: run)
  }

  var fix: Finding.Fix {
    let catching = toolkit.map { " \($0.catching)" } ?? ""
    let way = toolkit.map { ": \($0.hop)" } ?? ""
    return Finding.Fix(
      "Find the code that handed the change to this thread: check the candidates first.\(catching) Then make the change on \(home)\(way)."
    )
  }
}

extension Finding {
  /// True if the finding is about a change that reached a toolkit on a wrong thread.
  package var isUnseenChange: Bool { defect == UnseenChange.defect }
}

extension CrashReading {
  /// True if the report identifies the crashed thread by a number or a name.
  var isThreadTold: Bool {
    guard let thread = crash.thread else { return false }
    return thread.ordinal.map(IncidentThread.isNumber) ?? true || !thread.name.isEmpty
  }
}
