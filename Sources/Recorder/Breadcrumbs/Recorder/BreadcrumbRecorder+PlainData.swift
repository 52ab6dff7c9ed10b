// The overloads that take any value that describes itself. Where both fit, those that take a
// `CrumbValue` are chosen: literals and `.string(path)` make no detour. Inlined for the same reasons
// as those.
extension BreadcrumbRecorder {
  /// Records a breadcrumb with plain data: `["item": item, "count": count, "id": uuid]`.
  ///
  /// Strings, Booleans, the standard numbers and UUIDs do not allocate. For a value of any other type
  /// its `description` is recorded.
  ///
  /// - Parameters:
  ///   - message: What happened; at most 1,024 bytes are kept. Not evaluated once recording has
  ///     stopped.
  ///   - level: How important it is.
  ///   - category: A category to group by; at most 64 bytes are kept.
  ///   - data: Keys and values; at most 1,024 bytes of them are kept.
  ///   - stack: Whether the crumb has the caller's stack.
  @_transparent
  @_disfavoredOverload
  public func record<Message: StringProtocol>(
    _ message: @autoclosure () -> Message, level: CrumbLevel = .info,
    category: StaticString = "", data: KeyValuePairs<String, any CustomStringConvertible>,
    stack: StackCapture = .automatic
  ) {
    guard isRecording else { return }
    let text = message().description
    var crumb = beginCrumb(at: level)
    var index = 0
    while index < data.count {
      let (key, value) = data[index]
      if crumb.add(key, describing: value) {
        index += 1
      } else {
        crumb = gather(insteadOf: crumb)
        index = 0
      }
    }
    leave(endCrumb(crumb, text, level, category, walks: stack.walks(at: level)))
  }

  /// Records a lifecycle breadcrumb, with plain data as in `record`.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - data: Keys and values.
  ///   - stack: Whether the crumb has the caller's stack; it does by default.
  @_transparent
  @_disfavoredOverload
  public func recordLifecycle(
    _ event: LifecycleEvent, data: KeyValuePairs<String, any CustomStringConvertible>,
    stack: StackCapture = .automatic
  ) {
    var crumb = beginLifecycleCrumb()
    var index = 0
    while index < data.count {
      let (key, value) = data[index]
      if crumb.add(key, describing: value) {
        index += 1
      } else {
        crumb = gather(insteadOf: crumb)
        index = 0
      }
    }
    leave(
      endCrumb(crumb, fixed: event.name, .notice, "lifecycle", walks: stack.walks(at: .error)))
  }
}

// What else is written as data ends here, for the compiler to say what to do.
extension BreadcrumbRecorder {
  /// Refuses values that a crumb cannot carry.
  @available(
    *, unavailable,
    message: """
      a crumb's value is a string, a number, a Boolean or anything CustomStringConvertible; \
      unwrap an optional first, and write "\\(value)" for others
      """
  )
  @_disfavoredOverload
  public func record<Message: StringProtocol>(
    _ message: @autoclosure () -> Message, level: CrumbLevel = .info,
    category: StaticString = "", data: KeyValuePairs<String, Any?>,
    stack: StackCapture = .automatic
  ) {}

  /// Refuses values that a crumb cannot carry.
  @available(
    *, unavailable,
    message: """
      a crumb's value is a string, a number, a Boolean or anything CustomStringConvertible; \
      unwrap an optional first, and write "\\(value)" for others
      """
  )
  @_disfavoredOverload
  public func recordLifecycle(
    _ event: LifecycleEvent, data: KeyValuePairs<String, Any?>,
    stack: StackCapture = .automatic
  ) {}
}
