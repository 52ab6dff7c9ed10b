import IncidentModel

/// What a commit of Core Animation's off the main thread tells: UI was changed there earlier, by code that has
/// returned.
struct LateCommitStory {
  /// What all findings about it have in common.
  static let defect = "late commit"

  private let commit: LateCommit
  private let committer: CodePlace?
  private let thread: String?
  private let queue: String?

  /// - Returns: nil where the stack shows no such commit, or its thread makes them by right.
  init?(_ reading: StackReading, thread: String, queue: String?) {
    guard let commit = reading.lateCommit,
      ![thread, queue ?? ""].contains(where: LateCommit.isByRight)
    else { return nil }
    self.commit = commit
    committer = reading.committer?.place
    // A report may name none.
    self.thread = thread.hasPrefix("thread ") ? thread : nil
    self.queue = queue
  }

  /// - Parameter effect: what came of it, as a clause.
  func title(_ effect: String) -> String {
    // Where reports list threads by their queues, their numbers are nobody's.
    let place = queue.map { "the thread of \(Words.queue($0))" } ?? thread ?? "that thread"
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

  /// Why nothing is to be opened first, and who may have been the one.
  func evidence(_ crash: CrashReading?, in run: RunState) -> [Finding.Evidence] {
    var evidence = [
      Finding.Evidence(
        "the code that changed the UI is not on this stack: it ran on the same thread earlier, and has returned"
      )
    ]
    if let committer {
      evidence.append(
        Finding.Evidence("candidate: what ran on this thread, which began in", place: committer))
    }
    guard let crash else { return evidence }
    let threads = crash.crash.otherThreads.filter { $0.onMain != .yes }.compactMap { thread in
      candidate(thread, crash, run)
    }
    evidence += threads.prefix(3)
    let crumbs = run.crumbs(before: crash.moment).filter { crumb in
      !["lifecycle:", "violation:", "hang:"].contains(where: crumb.text.hasPrefix)
    }
    evidence += crumbs.suffix(3).reversed().map { crumb in
      let when = crumb.offset.map { ", \(TimeSpan.text(nanoseconds: $0.magnitude)) before" } ?? ""
      return Finding.Evidence("candidate: what followed “\(crumb.text)”\(when)")
    }
    if evidence.count == 1 {
      evidence.append(
        Finding.Evidence("no crumb and no other thread's stack shows a candidate"))
    }
    return evidence
  }

  private func candidate(
    _ thread: CrashThread, _ crash: CrashReading, _ run: RunState
  ) -> Finding.Evidence? {
    let reading = run.read(run.frames(of: thread.stack, when: crash.crash.monotonic))
    guard let own = reading.touched, own.isNamed else { return nil }
    let name = thread.ordinal.map { run.thread($0) } ?? "thread \(thread.kernelID)"
    let queue = thread.queue.map { " (\(Words.queue($0.label)))" } ?? ""
    return Finding.Evidence("candidate: \(name)\(queue) was in", place: own.place)
  }

  /// - Parameter isInBackground: whether the process had entered the background.
  static func fix(isInBackground: Bool) -> Finding.Fix {
    Finding.Fix(
      "Find the UI change: run with the Main Thread Checker, or with CA_ASSERT_MAIN_THREAD_TRANSACTIONS=1, "
        + "which aborts where another thread than the main one begins a transaction, with the stack that is "
        + "missing here. Look first at completion handlers and background tasks that end "
        + (isInBackground ? "around “did enter background”" : "shortly before")
        + "; send their UI changes to the main queue."
        + (isInBackground ? " " + Fixes.keepForLater : ""))
  }
}
