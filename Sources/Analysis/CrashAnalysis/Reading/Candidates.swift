import IncidentModel

/// Possible causes of a fault whose cause has left the stack.
enum Candidates {
  /// The program's own code on other threads than the main one, and the last crumbs.
  ///
  /// - Parameter crumbs: those before the fault.
  static func evidence(
    _ crash: CrashReading, _ crumbs: [Finding.Nearby], in run: RunState
  ) -> [Finding.Evidence] {
    let threads = crash.crash.otherThreads.filter { $0.onMain != .yes }
      .compactMap { evidence($0, crash, run) }
    // Code without a name can only be pointed at.
    let named = threads.filter { $0.place != nil } + threads.filter { $0.place == nil }
    // A name is all that some lists of threads have.
    let listed = crash.crash.otherThreads.filter { thread in
      thread.onMain != .yes && thread.stack.frames.isEmpty && !thread.name.isEmpty
        && thread.name != crash.crash.thread?.name
    }.map { thread in
      Finding.Evidence(
        "candidate: \(thread.ordinal.map { run.thread($0) } ?? thread.name), of which there is no stack"
      )
    }
    let told = crumbs.filter { crumb in
      (crumb.offset ?? -1) != 0
        && !["lifecycle:", "violation:", "hang:"].contains(where: crumb.text.hasPrefix)
    }
    // Crumbs of the same thread come first.
    let same = told.filter {
      $0.thread != IncidentThread.unknown && $0.thread == crash.crash.thread?.ordinal
    }
    let others = same.isEmpty ? told : told.filter { $0.thread == IncidentThread.unknown }
    return Array((named.isEmpty ? listed : named).prefix(3))
      + (same.suffix(3).reversed() + others.suffix(3).reversed()).map(evidence)
  }

  private static func evidence(of crumb: Finding.Nearby) -> Finding.Evidence {
    let when = crumb.offset.map { ", \(TimeSpan.text(nanoseconds: $0.magnitude)) before" } ?? ""
    return Finding.Evidence("candidate: what followed “\(crumb.text)”\(when)")
  }

  private static func evidence(
    _ thread: CrashThread, _ crash: CrashReading, _ run: RunState
  ) -> Finding.Evidence? {
    let reading = run.read(run.frames(of: thread.stack, when: crash.crash.monotonic))
    guard let own = reading.touched else { return nil }
    let name =
      thread.ordinal.map { run.thread($0) } ?? run.thread(kernelID: thread.kernelID, thread.name)
    let queue = thread.queue.map { " (\(DisplayText.queue($0.label)))" } ?? ""
    guard own.isNamed else {
      return Finding.Evidence(
        "candidate: \(name)\(queue) was in code of \(own.place.module) that has no name here")
    }
    return Finding.Evidence("candidate: \(name)\(queue) was in", place: own.place)
  }
}
