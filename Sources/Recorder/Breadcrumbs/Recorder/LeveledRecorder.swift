// `recorder.error("…")` costs the same as `recorder.record("…", level: .error)`, because both are
// inlined.
extension BreadcrumbRecorder {
  /// Records crumbs of the level `.debug`: details that help to find a fault.
  @_transparent
  public var debug: LeveledRecorder { LeveledRecorder(self, .debug) }
  /// Records crumbs of the level `.info`: normal events.
  @_transparent
  public var info: LeveledRecorder { LeveledRecorder(self, .info) }
  /// Records crumbs of the level `.notice`: unusual events.
  @_transparent
  public var notice: LeveledRecorder { LeveledRecorder(self, .notice) }
  /// Records crumbs of the level `.warning`: conditions that may become errors.
  @_transparent
  public var warning: LeveledRecorder { LeveledRecorder(self, .warning) }
  /// Records crumbs of the level `.error`: failures, with their stack. No other kind of crumb
  /// overwrites them.
  @_transparent
  public var error: LeveledRecorder { LeveledRecorder(self, .error) }
  /// Records crumbs of the level `.fatal`: failures that end the process. No other kind of crumb
  /// overwrites them.
  @_transparent
  public var fatal: LeveledRecorder { LeveledRecorder(self, .fatal) }
}

/// Records crumbs of one level: the type of `recorder.error` and the other levels.
///
///     recorder.error("payment refused", category: "net", data: ["order": id])
@frozen
public struct LeveledRecorder: Sendable {
  @usableFromInline
  let recorder: BreadcrumbRecorder
  @usableFromInline
  let level: CrumbLevel

  @_transparent
  @usableFromInline
  init(_ recorder: BreadcrumbRecorder, _ level: CrumbLevel) {
    self.recorder = recorder
    self.level = level
  }

  /// Records a breadcrumb with a fixed message, as `record` does.
  @_transparent
  public func callAsFunction(
    _ message: StaticString, category: StaticString = "", stack: StackCapture = .automatic
  ) {
    recorder.record(message, level: level, category: category, stack: stack)
  }

  /// Records a breadcrumb with plain data, if any, as `record` does.
  @_transparent
  @_disfavoredOverload
  public func callAsFunction(
    _ message: @autoclosure () -> some CrumbText, category: some CrumbText = "",
    data: KeyValuePairs<String, any CustomStringConvertible> = [:],
    stack: StackCapture = .automatic
  ) {
    recorder.record(message(), level: level, category: category, data: data, stack: stack)
  }

  /// Records a breadcrumb with data, as `record` does.
  @_transparent
  public func callAsFunction(
    _ message: @autoclosure () -> some CrumbText, category: some CrumbText = "",
    data: KeyValuePairs<String, CrumbValue>, stack: StackCapture = .automatic
  ) {
    recorder.record(message(), level: level, category: category, data: data, stack: stack)
  }

  /// Rejects values that a crumb cannot store.
  @available(
    *, unavailable,
    message: """
      a crumb's value is a string, a number, a Boolean or anything CustomStringConvertible; \
      unwrap an optional first, and write "\\(value)" for others
      """
  )
  @_disfavoredOverload
  public func callAsFunction(
    _ message: @autoclosure () -> some CrumbText, category: some CrumbText = "",
    data: KeyValuePairs<String, Any?>, stack: StackCapture = .automatic
  ) {}
}
