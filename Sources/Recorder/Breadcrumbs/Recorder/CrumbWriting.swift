internal import CRecorder

/// The contents of a crumb before it is written, after redaction.
struct CrumbContents {
  var message: String
  var data: [(key: String, value: CrumbValue)]
  var hop: UInt64 = 0
}

/// The requirements for recording a crumb with any contents.
protocol CrumbWriting {
  var log: OpaquePointer { get }
  var stackDepth: UInt32 { get }
  var redact: (@Sendable (inout CrumbDraft) -> Void)? { get }
}

extension BreadcrumbRecorder: CrumbWriting {}

extension CrumbWriting {
  /// Passes the crumb to the redaction hook, if the recorder has one. Returns nil if the crumb must
  /// not be written: the hook itself recorded it, which would recurse without end, or recording has
  /// stopped.
  func redacted(
    _ contents: CrumbContents, _ level: CrumbLevel, _ category: String
  ) -> CrumbContents? {
    guard let redact else { return contents }
    guard let own = ms_thread_own(), ms_log_is_recording(log), !own.pointee.redacting else {
      return nil
    }
    own.pointee.redacting = true
    defer { own.pointee.redacting = false }
    var draft = CrumbDraft(
      category: category, level: level, message: contents.message,
      data: contents.data + CrumbContext.here.values + (CrumbSource.here?.values ?? []))
    redact(&draft)
    return CrumbContents(message: draft.message, data: draft.data, hop: contents.hop)
  }

  /// Records a crumb with a stack that was captured earlier.
  func leave(
    _ contents: CrumbContents, _ level: CrumbLevel, _ category: String, kind: UInt8, stack: [UInt]
  ) {
    guard let contents = redacted(contents, level, category),
      let bracket = ms_log_enter(log, ms_kind(UInt32(kind)))
    else { return }
    let count = min(stack.count, Int(stackDepth))
    let frames = ms_log_frames(bracket)!
    for index in 0..<count { frames[index] = stack[index] }
    var crumb = shape(bracket, kind: kind, level)
    crumb.frame_count = UInt16(count)
    crumb.walk_end = UInt8((count < stack.count ? MS_WALK_LIMIT : MS_WALK_COMPLETE).rawValue)
    append(bracket, contents, as: &crumb, category)
    ms_log_leave(bracket)
  }

  /// Creates a crumb without texts, data and stack.
  func shape(_ bracket: OpaquePointer, kind: UInt8, _ level: CrumbLevel) -> ms_crumb {
    let stamp = ms_queue_stamp_here()
    var crumb = ms_crumb()
    crumb.kind = kind
    crumb.level = level.rawValue
    crumb.flags = stamp.flags
    crumb.queue_serial = stamp.serial
    crumb.queue_label = stamp.label
    crumb.frames = UnsafePointer(ms_log_frames(bracket))
    crumb.walk_end = UInt8(MS_WALK_COMPLETE.rawValue)
    return crumb
  }

  func append(
    _ bracket: OpaquePointer, _ contents: CrumbContents, as crumb: inout ms_crumb,
    _ category: String
  ) {
    if contents.hop != 0 {
      crumb.hop = contents.hop
      crumb.flags |= UInt8(MS_CRUMB_HAS_HOP.rawValue)
    }
    let encoder = DataEncoder(data: ms_log_data(bracket))
    for (key, value) in contents.data { encoder.add(key, value) }
    // The redaction hook has already processed the context's values.
    if redact == nil { encoder.addContext() }
    append(bracket, &crumb, encoder, contents.message, category)
  }

  @inline(__always)
  func append(
    _ bracket: OpaquePointer, _ crumb: inout ms_crumb, _ data: DataEncoder, _ message: String,
    _ category: String
  ) {
    withBytes(of: message) { message, messageSize in
      withBytes(of: category) { category, categorySize in
        crumb.message = message
        crumb.message_size = messageSize
        crumb.category = category
        crumb.category_size = categorySize
        if let data = data.data { ms_crumb_set_data(&crumb, data) }
        ms_log_append(bracket, &crumb)
      }
    }
  }
}
