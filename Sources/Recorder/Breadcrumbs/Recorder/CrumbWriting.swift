internal import CRecorder

/// What is about to be written, after redaction.
struct CrumbText {
  var message: String
  var data: [(key: String, value: CrumbValue)]
  var hop: UInt64 = 0
}

/// What it takes to write a crumb of any make.
protocol CrumbWriting {
  var log: OpaquePointer { get }
  var stackDepth: UInt32 { get }
  var redact: (@Sendable (inout CrumbDraft) -> Void)? { get }
}

extension BreadcrumbRecorder: CrumbWriting {}

extension CrumbWriting {
  /// Shows the crumb to the redaction hook, if there is one. Nil for a crumb that the hook itself
  /// leaves: it could neither be shown to the hook again, without end, nor be written unseen.
  func redacted(
    _ text: CrumbText, _ level: CrumbLevel, _ category: @autoclosure () -> String
  ) -> CrumbText? {
    guard let redact else { return text }
    guard let own = ms_thread_own(), ms_log_is_recording(log), !own.pointee.redacting else {
      return nil
    }
    own.pointee.redacting = true
    defer { own.pointee.redacting = false }
    var draft = CrumbDraft(
      category: category(), level: level, message: text.message,
      data: text.data + CrumbContext.here.values + (CrumbSource.here?.values ?? []))
    redact(&draft)
    return CrumbText(message: draft.message, data: draft.data, hop: text.hop)
  }

  /// Leaves a crumb whose stack was captured before.
  func leave(
    _ text: CrumbText, _ level: CrumbLevel, _ category: StaticString, kind: UInt8, stack: [UInt]
  ) {
    guard let text = redacted(text, level, category.text),
      let bracket = ms_log_enter(log, ms_kind(UInt32(kind)))
    else { return }
    let count = min(stack.count, Int(stackDepth))
    let frames = ms_log_frames(bracket)!
    for index in 0..<count { frames[index] = stack[index] }
    append(
      bracket, text, level, category, kind: kind, frames: UInt32(count),
      end: count < stack.count ? MS_WALK_LIMIT : MS_WALK_COMPLETE)
    ms_log_leave(bracket)
  }

  /// Writes a crumb in an open bracket, whose frames are captured already.
  func append(
    _ bracket: OpaquePointer, _ text: CrumbText, _ level: CrumbLevel, _ category: StaticString,
    kind: UInt8, frames: UInt32, end: ms_walk_end
  ) {
    var crumb = shape(bracket, kind: kind, level, frames: frames, end: end)
    append(bracket, text, as: &crumb, category)
  }

  /// What a crumb is but for its texts and data.
  func shape(
    _ bracket: OpaquePointer, kind: UInt8, _ level: CrumbLevel, frames: UInt32, end: ms_walk_end
  ) -> ms_crumb {
    let stamp = ms_queue_stamp_here()
    var crumb = ms_crumb()
    crumb.kind = kind
    crumb.level = level.rawValue
    crumb.flags = stamp.flags
    crumb.queue_serial = stamp.serial
    crumb.queue_label = stamp.label
    crumb.frames = UnsafePointer(ms_log_frames(bracket))
    crumb.frame_count = UInt16(frames)
    crumb.walk_end = UInt8(end.rawValue)
    return crumb
  }

  func append(
    _ bracket: OpaquePointer, _ text: CrumbText, as crumb: inout ms_crumb,
    _ category: StaticString
  ) {
    finish(text, &crumb, in: bracket)
    withBytes(of: text.message) { append(bracket, &crumb, category, $0, $1) }
  }

  func append(
    _ bracket: OpaquePointer, _ text: CrumbText, as crumb: inout ms_crumb, _ category: String
  ) {
    finish(text, &crumb, in: bracket)
    withBytes(of: text.message) { message, size in
      withBytes(of: category) { append(bracket, &crumb, $0, $1, message, size) }
    }
  }

  private func finish(_ text: CrumbText, _ crumb: inout ms_crumb, in bracket: OpaquePointer) {
    if text.hop != 0 {
      crumb.hop = text.hop
      crumb.flags |= UInt8(MS_CRUMB_HAS_HOP.rawValue)
    }
    var encoder = DataEncoder(bytes: ms_log_data(bracket))
    for (key, value) in text.data { encoder.add(key, value) }
    // The redaction hook has seen it among them.
    if redact == nil { encoder.addContext() }
    encoder.finish(&crumb)
  }

  func append(
    _ bracket: OpaquePointer, _ crumb: inout ms_crumb, _ category: StaticString,
    _ message: UnsafeRawPointer?, _ messageSize: Int
  ) {
    category.withUTF8Buffer { category in
      append(bracket, &crumb, category.baseAddress, category.count, message, messageSize)
    }
  }

  @inline(__always)
  func append(
    _ bracket: OpaquePointer, _ crumb: inout ms_crumb, _ category: UnsafeRawPointer?,
    _ categorySize: Int, _ message: UnsafeRawPointer?, _ messageSize: Int
  ) {
    crumb.message = message
    crumb.message_size = messageSize
    crumb.category = category
    crumb.category_size = categorySize
    ms_log_append(bracket, &crumb)
  }
}
