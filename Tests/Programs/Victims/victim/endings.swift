import Breadcrumbs
import CVictims

/// Ends that look like others.
let endings: [String: @Sendable () -> Void] = {
  var endings: [String: @Sendable () -> Void] = [:]
  var index: Int32 = 0
  while let name = name_of_ending(index).map({ String(cString: $0) }) {
    endings[name] = { end_as_named(name) }
    index += 1
  }
  return endings
}()

/// Where they leave crumbs; set before they end.
nonisolated(unsafe) var crumbs: BreadcrumbRecorder?

/// Installs the handler that this way to end needs, if it is one of them.
func prepareEnding(_ way: String) {
  prepare_ending(way) { crumbs?.record("still here", category: "victim") }
}
