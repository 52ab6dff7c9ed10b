import DeathRecords
import IncidentModel
import TextOutput

/// Selects the crumbs of a log to show.
package struct CrumbSelection: Sendable {
  /// Kernel ids or name parts of threads; empty for all.
  package var threads: [String]
  /// Categories or kinds; empty for all.
  package var categories: [String]
  package var since: Since?
  /// The number of newest crumbs; nil for all.
  package var last: Int?

  package init(
    threads: [String] = [], categories: [String] = [], since: Since? = nil, last: Int? = nil
  ) {
    self.threads = threads
    self.categories = categories
    self.since = since
    self.last = last
  }

  /// Returns the selected crumbs of `incident`, in order.
  package func crumbs(of incident: Incident) -> [Crumb] {
    var matching = matching(incident)
    if let start = since?.start(endingAt: end(of: incident)) {
      matching.removeAll { $0.wall < start.nanoseconds }
    }
    return last.map { Array(matching.suffix($0)) } ?? matching
  }

  /// Returns the crumbs of `incident` on the selected threads and of the selected categories, of
  /// any time.
  package func matching(_ incident: Incident) -> [Crumb] {
    guard !threads.isEmpty || !categories.isEmpty else { return incident.crumbs }
    let chosen = chosenThreads(of: incident)
    return incident.crumbs.filter {
      (chosen?.contains($0.thread) ?? true) && matchesCategory($0)
    }
  }

  /// The selection for one log, with its threads and its end resolved.
  package struct Matcher {
    fileprivate var threads: Set<Int>?
    fileprivate var categories: [String]
    fileprivate var start: UInt64

    package func matches(_ event: Event) -> Bool {
      (threads?.contains(event.thread) ?? true) && event.wall >= start
        && (categories.isEmpty || categories.contains { event.matches(category: $0) })
    }
  }

  /// Returns the selection for `incident`.
  ///
  /// - Parameter incident: An incident with all of its threads; only its last crumb is used.
  package func matcher(for incident: Incident) -> Matcher {
    Matcher(
      threads: chosenThreads(of: incident), categories: categories,
      start: since?.start(endingAt: end(of: incident)).nanoseconds ?? 0)
  }

  /// Returns descriptions of the selected threads and categories that `incident` does not contain.
  package func misses(in incident: Incident) -> [String] {
    var misses: [String] = []
    for thread in threads where !incident.threads.values.contains(where: { $0.matches(thread) }) {
      misses.append("no thread has the id or name '\(thread)'")
    }
    for category in categories
    where !incident.crumbs.contains(where: { $0.matches(category: category) }) {
      misses.append("no crumb has the category '\(category)'")
    }
    return misses
  }

  private func end(of incident: Incident) -> WallTime {
    if incident.ending == .running { return .now }
    return WallTime(nanoseconds: incident.crumbs.last?.wall ?? 0)
  }

  private func chosenThreads(of incident: Incident) -> Set<Int>? {
    guard !threads.isEmpty else { return nil }
    let chosen = incident.threads.values.filter { thread in
      threads.contains { thread.matches($0) }
    }
    return Set(chosen.map(\.ordinal))
  }

  private func matchesCategory(_ crumb: Crumb) -> Bool {
    categories.isEmpty || categories.contains { crumb.matches(category: $0) }
  }
}

extension IncidentThread {
  fileprivate func matches(_ wanted: String) -> Bool {
    if let id = Int(wanted) { return kernelID == id }
    return name.contains(wanted)
  }
}

extension Event {
  package func matches(category wanted: String) -> Bool {
    category == wanted || kind.name == wanted
  }
}

extension Crumb {
  fileprivate func matches(category wanted: String) -> Bool {
    category == wanted || kind.name == wanted
  }
}
