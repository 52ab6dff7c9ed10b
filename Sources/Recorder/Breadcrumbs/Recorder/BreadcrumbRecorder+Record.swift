internal import CRecorder

// What is here is inlined into its callers, in every build, for three reasons. A list of keys and
// values never leaves the caller, so that the compiler keeps it on the stack. The function that
// walks is called by the user's own, so that exactly one frame is left out of each stack. And
// something is left to do after it, so that the user's frame is still there when it walks.
extension BreadcrumbRecorder {
  /// Records a breadcrumb with a fixed message: the fastest way.
  ///
  /// You may call it in a signal handler without `stack:`, below `.error`, on a thread that has
  /// recorded before, if the recorder has no redaction hook.
  ///
  /// - Parameters:
  ///   - message: What happened.
  ///   - level: How important it is.
  ///   - category: A category to group by; at most 64 bytes are kept.
  ///   - stack: Whether the crumb has the caller's stack.
  @_transparent
  public func record(
    _ message: StaticString, level: CrumbLevel = .info, category: StaticString = "",
    stack: StackCapture = .automatic
  ) {
    if stack.walks(at: level) {
      if appendWithStack(message, level, category) { return }
      leave(endCrumb(beginCrumb(at: level), fixed: message, level, category, walks: true))
    } else {
      append(message, level, category)
    }
  }

  /// Records a breadcrumb with a message made at run time.
  ///
  /// - Parameters:
  ///   - message: What happened; at most 1,024 bytes are kept. Not evaluated once recording has
  ///     stopped.
  ///   - level: How important it is.
  ///   - category: A category to group by; at most 64 bytes are kept.
  ///   - stack: Whether the crumb has the caller's stack.
  @_transparent
  @_disfavoredOverload
  public func record<Message: StringProtocol>(
    _ message: @autoclosure () -> Message, level: CrumbLevel = .info,
    category: StaticString = "", stack: StackCapture = .automatic
  ) {
    guard isRecording else { return }
    let text = message().description
    if stack.walks(at: level) {
      leave(endCrumb(beginCrumb(at: level), text, level, category, walks: true))
    } else {
      finish(beginCrumb(at: level), text, level, category)
    }
  }

  /// Records a breadcrumb with data, whose values are literals or explicit `CrumbValue`s: the fastest
  /// way with data.
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
    category: StaticString = "", data: KeyValuePairs<String, CrumbValue>,
    stack: StackCapture = .automatic
  ) {
    // No way leads out of here before the end, or the compiler would make the list in memory.
    let text = textIfRecording { message().description }
    var crumb = beginCrumb(at: level)
    for index in 0..<data.count {
      let (key, value) = data[index]
      crumb.add(key, value)
    }
    if stack.walks(at: level) {
      leave(endCrumb(crumb, text, level, category, walks: true))
    } else {
      finish(crumb, text, level, category)
    }
  }

  /// Records a lifecycle breadcrumb. Only other lifecycle crumbs can push it out of the log.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - data: Keys and values.
  ///   - stack: Whether the crumb has the caller's stack; it does by default.
  @_transparent
  public func recordLifecycle(
    _ event: LifecycleEvent, data: KeyValuePairs<String, CrumbValue> = [:],
    stack: StackCapture = .automatic
  ) {
    var crumb = beginLifecycleCrumb()
    for index in 0..<data.count {
      let (key, value) = data[index]
      crumb.add(key, value)
    }
    leave(
      endCrumb(crumb, fixed: event.name, .notice, "lifecycle", walks: stack.walks(at: .error)))
  }
}

extension StackCapture {
  /// Whether a crumb of a level carries its stack; errors do unless told otherwise.
  @_transparent
  @usableFromInline
  func walks(at level: CrumbLevel) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .automatic: level == .error || level == .fatal
    }
  }
}
