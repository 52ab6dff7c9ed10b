import DeathRecords
import IncidentModel

/// A filter for crumbs: each non-empty part must match.
package struct WatchFilter: Sendable, Equatable {
  package var text = ""
  package var thread = ""
  package var category = ""

  package init() {}

  package var isEmpty: Bool { text.isEmpty && thread.isEmpty && category.isEmpty }

  /// Returns true if the crumb matches.
  ///
  /// - Parameter name: The name of the crumb's thread.
  func matches(_ crumb: Crumb, thread name: String) -> Bool {
    if !thread.isEmpty, !name.contains(ignoringCase: thread) { return false }
    if !category.isEmpty, !crumb.category.contains(ignoringCase: category),
      !crumb.kind.name.contains(ignoringCase: category)
    {
      return false
    }
    if text.isEmpty || crumb.message.contains(ignoringCase: text) { return true }
    if crumb.queue?.label.contains(ignoringCase: text) == true { return true }
    return crumb.data.contains {
      $0.key.contains(ignoringCase: text) || $0.value.description.contains(ignoringCase: text)
    }
  }

  /// Returns true if a crumb of this thread matches.
  package func matches(_ crumb: Crumb, thread: IncidentThread?) -> Bool {
    matches(crumb, thread: CrumbLine.name(thread, crumb.thread))
  }

  /// A description of the filter.
  var words: String {
    [("text", text), ("thread", thread), ("category", category)].filter { !$0.1.isEmpty }
      .map { "\($0.0) “\($0.1)”" }.joined(separator: ", ")
  }
}

extension String {
  fileprivate func contains(ignoringCase part: String) -> Bool {
    lowercased().contains(part.lowercased())
  }
}
