import IncidentModel

/// Explains a commit of Core Animation off the main thread: earlier code, which has returned,
/// changed UI on that thread.
struct LateCommitStory {
  /// The `defect` of all findings about a late commit.
  static let defect = "late commit"

  private let commit: LateCommit
  private let committer: CodePlace?
  private let thread: String?
  private let queue: String?

  /// Finds a late commit on a stack.
  ///
  /// - Returns: nil if the stack shows no late commit, or if the thread may make commits.
  init?(_ reading: StackReading, thread: String, queue: String?) {
    guard let commit = reading.lateCommit,
      ![thread, queue ?? ""].contains(where: LateCommit.isByRight)
    else { return nil }
    self.commit = commit
    committer = reading.committer?.place
    // A report may name no thread.
    self.thread = thread.hasPrefix("thread ") ? thread : nil
    self.queue = queue
  }

  /// Returns the title of the finding.
  ///
  /// - Parameter effect: The effect, as a clause.
  func title(_ effect: String) -> String {
    // If a report lists threads by queue, thread numbers have no meaning.
    let place = queue.map { "the thread of \(DisplayText.queue($0))" } ?? thread ?? "that thread"
    let when =
      switch commit.trigger {
      case .threadEnd: "when \(place) ended"
      case .runLoop: "in the run loop of \(place)"
      }
    return
      "UI was changed on a background thread earlier; Core Animation committed the change \(when)"
      + effect
  }

  var identity: String { commit.trigger == .threadEnd ? "thread end" : "run loop" }

  /// Returns the reason why there is no culprit line, and the candidates.
  ///
  /// - Parameter crumbs: The crumbs before the commit.
  func evidence(
    _ crash: CrashReading?, _ crumbs: [Finding.Nearby], in run: RunState
  ) -> [Finding.Evidence] {
    var evidence = [
      Finding.Evidence(
        "the code that changed the UI is not on this stack: it ran on the same thread earlier, and has returned"
      )
    ]
    if let committer {
      evidence.append(
        Finding.Evidence("candidate: the work of this thread, which began in", place: committer))
    }
    guard let crash else { return evidence }
    evidence += Candidates.evidence(crash, crumbs, in: run)
    if evidence.count == 1 {
      evidence.append(
        Finding.Evidence("no crumb and no other thread's stack shows a candidate"))
    }
    return evidence
  }

  static func fix(_ lifecycle: Lifecycle? = nil) -> Finding.Fix {
    let isInBackground = lifecycle?.phase == .background
    let isToldWhen = isInBackground && lifecycle?.last.isEmpty == false
    return Finding.Fix(
      "Find the UI change: run with the Main Thread Checker, or with CA_ASSERT_MAIN_THREAD_TRANSACTIONS=1: Core Animation then aborts with the missing stack when a thread "
        + "other than the main thread begins a transaction. "
        + "Check first the completion handlers and background tasks that end "
        + (isToldWhen ? "around “did enter background”" : "shortly before")
        + "; send their UI changes to the main queue."
        + (isInBackground ? " " + Fixes.keepForLater : ""))
  }
}
