import IncidentModel

/// Threads in a wait cycle: each waits for the lock or queue that the next one holds.
///
/// The source shows which lock or queue a line takes, by its name in a type. Locks of different
/// objects of a type have the same name, so a wait counts only if exactly one other thread holds a
/// guard of that name.
struct WaitCircle {
  struct Member {
    let thread: WaitingThread
    let held: SourceGuard
    /// The line that took the held guard, and the line that led to the wait.
    let heldAt: CodePlace
    let call: CodePlace
    let awaited: SourceGuard
    let waitsAt: CodePlace

    /// The name of the held guard; for a queue whose label is not in the source, the recorded
    /// label.
    var heldWords: String {
      if held.isQueue, held.label == nil, let label = thread.thread.queue?.label, !label.isEmpty {
        return DisplayText.queue(label)
      }
      return held.words
    }
  }

  /// The threads, in order: each waits for the guard of the next one, and the last for the guard of
  /// the first.
  let members: [Member]
  /// The number of threads outside the cycle that wait for one of its guards.
  let others: Int

  private struct Thread {
    let thread: WaitingThread
    var awaited: SourceGuard?
    var held: [(section: HeldSections.Section, call: CodePlace)] = []

    init(_ thread: WaitingThread, _ sections: (CodePlace) -> HeldSections?) {
      self.thread = thread
      for (place, code) in thread.code.enumerated() {
        guard let file = sections(code) else { continue }
        let taken = file.taken(at: code.line)
        if place == 0, thread.waitsForGuard { awaited = taken?.holds }
        for section in file.around(code.line) {
          if place == 0, section.place.line == code.line { continue }
          let known = held.firstIndex { $0.section.place.line == section.place.line }
          // The innermost frame within a section comes first; keep only that one.
          if known == nil { held.append((section, code)) }
        }
      }
    }

    func holds(_ wanted: SourceGuard) -> (section: HeldSections.Section, call: CodePlace)? {
      held.last { $0.section.holds == wanted }
    }
  }

  /// True if each guard of the cycle exists only once. If objects of one type each have a guard,
  /// the guards share one name.
  var areOnly: Bool { members.allSatisfy(\.held.isOnly) }

  /// The maximum number of threads to compare.
  private static let most = 128

  /// Searches for a wait cycle.
  ///
  /// - Returns: nil if there is no unambiguous cycle, or if there are too many threads.
  init?(_ threads: [WaitingThread]) {
    if threads.count > Self.most { return nil }
    var files: [String: HeldSections?] = [:]
    let read = threads.map { thread in
      Thread(thread) { place in
        guard let path = place.file else { return nil }
        if let known = files[path] { return known }
        let file = HeldSections(near: place)
        files[path] = .some(file)
        return file
      }
    }
    /// Returns the only thread that holds the guard for which another waits; nil if ambiguous.
    func next(_ at: Int) -> Int? {
      guard let wanted = read[at].awaited else { return nil }
      let holders = read.indices.filter { $0 != at && read[$0].holds(wanted) != nil }
      return holders.count == 1 ? holders[0] : nil
    }
    guard let circle = SuccessorCycle.first(from: read.indices, next: next) else { return nil }
    let members = circle.enumerated().compactMap { place, at -> Member? in
      let before = circle[(place + circle.count - 1) % circle.count]
      guard let awaited = read[at].awaited, let waitsAt = read[at].thread.code.first,
        let wanted = read[before].awaited, let held = read[at].holds(wanted)
      else { return nil }
      return Member(
        thread: read[at].thread, held: held.section.holds, heldAt: held.section.place,
        call: SourceLine.added(to: held.call), awaited: awaited,
        waitsAt: SourceLine.added(to: waitsAt))
    }
    guard members.count == circle.count else { return nil }
    let wanted = Set(members.map(\.held))
    others = read.indices.count { at in
      !circle.contains(at) && read[at].awaited.map(wanted.contains) ?? false
    }
    self.members = members
  }
}
