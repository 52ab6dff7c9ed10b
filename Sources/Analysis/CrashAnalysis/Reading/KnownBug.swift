import IncidentModel

/// A bug of the Swift toolchain that the frames of a crash prove, so that the program is not to blame.
package struct KnownBug: Sendable {
  /// The numbers of the issues at github.com/swiftlang/swift.
  package let issues: [Int]
  /// The bug, as a clause.
  package let text: String
  /// The versions that have the bug, and the first one without it.
  package let versions: String
  /// The change that avoids the bug.
  package let remedy: String
  /// The functions that are on the stack in this order, innermost first: each by the parts that its name contains.
  /// Between them, the stack has only functions of libraries.
  let frames: [[String]]

  /// The table of known bugs. An entry needs frames that no other bug leaves.
  package static let all = [
    KnownBug(
      issues: [85500],
      text: """
        Objective-C releases an object whose deinit is isolated, and the thunk checks the actor although the deinit \
        itself changes to it
        """,
      versions: "Swift 6.1 to 6.3; fixed in 6.4",
      remedy: """
        Use a nonisolated deinit, or release the object on its actor; Swift 6.4 has the fix \
        (swiftlang/swift pull request 88944).
        """,
      frames: [["_checkExpectedExecutor"], ["@objc ", "deallocating_deinit"]]),
    KnownBug(
      issues: [85663, 87316],
      text: """
        an isolated deinit runs in a task with task-local values, and the runtime frees memory that it did not \
        allocate
        """,
      versions: "Swift 6.2 and 6.3",
      remedy: """
        Give the class a `nonisolated deinit {}`, or leave out the default isolation of the module if it made the \
        deinit isolated.
        """,
      frames: [["StopLookupScope"], ["swift_task_deinitOnExecutor"]]),
    KnownBug(
      issues: [88584],
      text: """
        a task has a priority of the program's own, and the runtime gives Dispatch a null queue
        """,
      versions: "Swift up to 6.3, on Apple platforms",
      remedy:
        "Use a priority of TaskPriority's own: .high, .medium, .low, .background or .utility.",
      frames: [["dispatch_async_swift_job"], ["swift_task_enqueueGlobal"]]),
  ]

  /// Finds the bug that a crash proves; nil if it proves none.
  init?(provedBy crash: CrashReading) {
    guard let bug = Self.all.first(where: { $0.isProved(by: crash.frames) }) else { return nil }
    self = bug
  }

  private init(issues: [Int], text: String, versions: String, remedy: String, frames: [[String]]) {
    self.issues = issues
    self.text = text
    self.versions = versions
    self.remedy = remedy
    self.frames = frames
  }

  private func isProved(by stack: [Frame]) -> Bool {
    var rest = frames[...]
    for frame in stack {
      if let parts = rest.first, parts.allSatisfy(frame.place.function.contains) {
        rest.removeFirst()
        if rest.isEmpty { return true }
      } else if frame.role == .code {
        rest = frames[...]
      }
    }
    return false
  }

  /// The issues as text: `swiftlang/swift#85663, #87316`.
  package var references: String {
    "swiftlang/swift" + issues.map { "#\($0)" }.joined(separator: ", ")
  }
}

extension Finding {
  /// Blames the toolchain instead of the program.
  mutating func blame(_ bug: KnownBug) {
    title = "A known bug of Swift ended the process: \(bug.text)"
    evidence.insert(
      Evidence("known bug of \(bug.versions): \(bug.references); the stack has its frames"), at: 0)
    fix = Fix(bug.remedy)
  }
}
