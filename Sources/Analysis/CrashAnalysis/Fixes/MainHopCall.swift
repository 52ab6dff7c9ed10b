import IncidentModel

/// The call that sends work to the main thread, in each language.
enum MainHopCall {
  /// Returns the call in the language of a place; nil if neither the file nor the function name
  /// determines the language.
  ///
  /// - Parameter toolkit: The call of the toolkit whose functions are on the stack; nil if unknown.
  static func text(_ place: CodePlace, toolkit: String?) -> String? {
    if let toolkit { return toolkit }
    switch CodeLanguage(place) {
    case .swift: return swift
    case .objectiveC: return objectiveC
    case .dotNet: return "the dispatcher's BeginInvoke, or SynchronizationContext.Post"
    case .python: return "the toolkit's own call, such as Tk's root.after(0, function)"
    case .java, .other, nil: return nil
    }
  }

  private static let swift = "DispatchQueue.main.async { … }"
  private static let objectiveC = "dispatch_async(dispatch_get_main_queue(), ^{ … })"
}
