internal import CBreadcrumbLog

/// What a note says but for its data, laid out once as its records have it.
package final class ReadyNote: Sendable {
  let message: StaticString
  let category: StaticString
  nonisolated(unsafe) let laidOut: UnsafePointer<ms_ready_note>

  /// - Parameters: Texts of at most 32 bytes each.
  package init(_ message: StaticString, category: StaticString) {
    self.message = message
    self.category = category
    let note = UnsafeMutablePointer<ms_ready_note>.allocate(capacity: 1)
    note.initialize(to: ms_log_ready_note(CrumbLevel.info.rawValue, category.text, message.text))
    laidOut = UnsafePointer(note)
  }

  deinit { laidOut.deallocate() }
}
