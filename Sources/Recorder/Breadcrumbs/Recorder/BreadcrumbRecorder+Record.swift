// These functions are inlined into their callers, in every build, for three reasons. A list of keys
// and values never leaves the caller, so that the compiler keeps it on the stack. The user's own
// function calls the function that walks, so that exactly one frame is skipped in each stack. That
// call is no tail call, so the user's frame still exists during the walk.
extension BreadcrumbRecorder {
  /// Records a breadcrumb with a fixed message: the fastest variant.
  ///
  /// You may call this method in a signal handler without `stack:`, below `.error`, on a thread
  /// that has recorded before, if the recorder has no redaction hook.
  ///
  /// - Parameters:
  ///   - message: The event.
  ///   - level: The importance of the event.
  ///   - category: A category to group by; at most 64 bytes are kept.
  ///   - stack: The rule that decides whether the crumb contains the caller's stack.
  @_transparent
  public func record(
    _ message: StaticString, level: CrumbLevel = .info, category: StaticString = "",
    stack: StackCapture = .automatic
  ) {
    if stack.walks(at: level) {
      if appendWithStack(message, level, category) { return }
      leave(
        endCrumb(
          beginCrumb(at: level), message.description, level, category.description, walks: true))
    } else {
      append(message, level, category)
    }
  }

  /// Records a breadcrumb with plain data, if any: `["item": item, "count": count, "id": uuid]`.
  ///
  /// Strings, Booleans, the standard numbers and UUIDs do not allocate. For a value of any other
  /// type, its `description` is recorded.
  ///
  /// - Parameters:
  ///   - message: The event; at most 1,024 bytes are kept. Not evaluated once recording has
  ///     stopped.
  ///   - level: The importance of the event.
  ///   - category: A category to group by; at most 64 bytes are kept.
  ///   - data: Keys and values; at most 1,024 bytes of them are kept.
  ///   - stack: The rule that decides whether the crumb contains the caller's stack.
  @_transparent
  @_disfavoredOverload
  public func record(
    _ message: @autoclosure () -> some CrumbText, level: CrumbLevel = .info,
    category: some CrumbText = "", data: KeyValuePairs<String, any CustomStringConvertible> = [:],
    stack: StackCapture = .automatic
  ) {
    guard isRecording else { return }
    let text = message().description
    var crumb = beginCrumb(at: level)
    fill(&crumb, with: data)
    end(crumb, text, level, category.description, walks: stack.walks(at: level))
  }

  /// Records a breadcrumb with data, whose values are literals or explicit `CrumbValue`s: the
  /// fastest variant with data.
  ///
  /// - Parameters:
  ///   - message: The event; at most 1,024 bytes are kept. Not evaluated once recording has
  ///     stopped.
  ///   - level: The importance of the event.
  ///   - category: A category to group by; at most 64 bytes are kept.
  ///   - data: Keys and values; at most 1,024 bytes of them are kept.
  ///   - stack: The rule that decides whether the crumb contains the caller's stack.
  @_transparent
  public func record(
    _ message: @autoclosure () -> some CrumbText, level: CrumbLevel = .info,
    category: some CrumbText = "", data: KeyValuePairs<String, CrumbValue>,
    stack: StackCapture = .automatic
  ) {
    // No early return, because the compiler would then create the list in memory.
    let text = textIfRecording { message().description }
    var crumb = beginCrumb(at: level)
    fill(&crumb, with: data)
    end(crumb, text, level, category.description, walks: stack.walks(at: level))
  }

  /// Records a lifecycle breadcrumb. Only other lifecycle crumbs can overwrite it in the log.
  ///
  /// - Parameters:
  ///   - event: A predefined event or a custom text.
  ///   - data: Keys and values.
  ///   - stack: The rule that decides whether the crumb contains the caller's stack; by default it
  ///     does.
  @_transparent
  public func recordLifecycle(
    _ event: LifecycleEvent, data: KeyValuePairs<String, CrumbValue> = [:],
    stack: StackCapture = .automatic
  ) {
    var crumb = beginLifecycleCrumb()
    fill(&crumb, with: data)
    end(crumb, event.name, .notice, "lifecycle", walks: stack.walks(at: .error))
  }

  /// Records a lifecycle breadcrumb with plain data, as in `record`.
  ///
  /// - Parameters:
  ///   - event: A predefined event or a custom text.
  ///   - data: Keys and values.
  ///   - stack: The rule that decides whether the crumb contains the caller's stack; by default it
  ///     does.
  @_transparent
  @_disfavoredOverload
  public func recordLifecycle(
    _ event: LifecycleEvent, data: KeyValuePairs<String, any CustomStringConvertible>,
    stack: StackCapture = .automatic
  ) {
    var crumb = beginLifecycleCrumb()
    fill(&crumb, with: data)
    end(crumb, event.name, .notice, "lifecycle", walks: stack.walks(at: .error))
  }
}

// The steps of the functions above.
extension BreadcrumbRecorder {
  @_transparent
  @usableFromInline
  func fill(_ crumb: inout PendingCrumb, with data: KeyValuePairs<String, CrumbValue>) {
    for index in 0..<data.count {
      let (key, value) = data[index]
      crumb.add(key, value)
    }
  }

  @_transparent
  @usableFromInline
  func fill(
    _ crumb: inout PendingCrumb, with data: KeyValuePairs<String, any CustomStringConvertible>
  ) {
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
  }

  @_transparent
  @usableFromInline
  func end(
    _ crumb: PendingCrumb, _ message: String, _ level: CrumbLevel, _ category: String, walks: Bool
  ) {
    if walks {
      leave(endCrumb(crumb, message, level, category, walks: true))
    } else {
      finish(crumb, message, level, category)
    }
  }
}

extension StackCapture {
  /// Returns true if a crumb of a level contains a stack; by default errors do.
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

// Values of unsupported types select these functions, so that the compiler explains the remedy.
extension BreadcrumbRecorder {
  /// Rejects values that a crumb cannot store.
  @available(
    *, unavailable,
    message: """
      a crumb's value is a string, a number, a Boolean or anything CustomStringConvertible; \
      unwrap an optional first, and write "\\(value)" for others
      """
  )
  @_disfavoredOverload
  public func record(
    _ message: @autoclosure () -> some CrumbText, level: CrumbLevel = .info,
    category: some CrumbText = "", data: KeyValuePairs<String, Any?>,
    stack: StackCapture = .automatic
  ) {}

  /// Rejects values that a crumb cannot store.
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
