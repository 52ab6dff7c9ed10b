// The overloads whose category or event is known at run time only. Inlined for the same reasons as those
// that take a `StaticString`, which stay the cheapest way: a literal is never copied.
extension BreadcrumbRecorder {
  /// Records a breadcrumb in a category that is made at run time.
  ///
  /// - Parameters:
  ///   - message: What happened; at most 1,024 bytes are kept. Not evaluated once recording has
  ///     stopped.
  ///   - level: How important it is.
  ///   - category: A category to group by; at most 64 bytes are kept.
  ///   - stack: Whether the crumb has the caller's stack.
  @_transparent
  public func record<Message: StringProtocol>(
    _ message: @autoclosure () -> Message, level: CrumbLevel = .info,
    inCategory category: String, stack: StackCapture = .automatic
  ) {
    guard isRecording else { return }
    let text = message().description
    leave(
      endCrumb(
        beginCrumb(at: level), text, level, inCategory: category, walks: stack.walks(at: level)))
  }

  /// Records a breadcrumb with data in a category that is made at run time.
  ///
  /// - Parameters:
  ///   - message: What happened; at most 1,024 bytes are kept. Not evaluated once recording has
  ///     stopped.
  ///   - level: How important it is.
  ///   - category: A category to group by; at most 64 bytes are kept.
  ///   - data: Keys and values; at most 1,024 bytes of them are kept.
  ///   - stack: Whether the crumb has the caller's stack.
  @_transparent
  public func record<Message: StringProtocol>(
    _ message: @autoclosure () -> Message, level: CrumbLevel = .info,
    inCategory category: String, data: KeyValuePairs<String, CrumbValue>,
    stack: StackCapture = .automatic
  ) {
    let text = textIfRecording { message().description }
    var crumb = beginCrumb(at: level)
    for index in 0..<data.count {
      let (key, value) = data[index]
      crumb.add(key, value)
    }
    leave(
      endCrumb(crumb, text, level, inCategory: category, walks: stack.walks(at: level)))
  }

  /// Records a breadcrumb with plain data in a category that is made at run time.
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
    inCategory category: String, data: KeyValuePairs<String, any CustomStringConvertible>,
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
    leave(
      endCrumb(crumb, text, level, inCategory: category, walks: stack.walks(at: level)))
  }

  /// Records a breadcrumb about the process's life whose name is made at run time. These are kept apart: no
  /// other crumb ever pushes one out of the log.
  ///
  /// - Parameters:
  ///   - name: What happened.
  ///   - data: Keys and values to go with it.
  ///   - stack: Whether the crumb has the caller's stack; it does unless you say otherwise.
  @_transparent
  public func recordLifecycle(
    named name: String, data: KeyValuePairs<String, CrumbValue> = [:],
    stack: StackCapture = .automatic
  ) {
    var crumb = beginLifecycleCrumb()
    for index in 0..<data.count {
      let (key, value) = data[index]
      crumb.add(key, value)
    }
    leave(endCrumb(crumb, name, .notice, "lifecycle", walks: stack.walks(at: .error)))
  }

  /// Records a breadcrumb about the process's life whose name is made at run time, with plain data.
  ///
  /// - Parameters:
  ///   - name: What happened.
  ///   - data: Keys and values to go with it.
  ///   - stack: Whether the crumb has the caller's stack; it does unless you say otherwise.
  @_transparent
  @_disfavoredOverload
  public func recordLifecycle(
    named name: String, data: KeyValuePairs<String, any CustomStringConvertible>,
    stack: StackCapture = .automatic
  ) {
    guard isRecording else { return }
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
    leave(endCrumb(crumb, name, .notice, "lifecycle", walks: stack.walks(at: .error)))
  }
}
