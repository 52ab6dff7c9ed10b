internal import CRecorder

// Crumbs with data, or with texts that are created at run time: begun, filled, ended. These are the
// steps of `record`, which is inlined into its callers.
extension BreadcrumbRecorder {
  /// Creates a message only if the recorder is recording; otherwise returns an empty string.
  @usableFromInline
  @inline(never)
  func textIfRecording(_ make: () -> String) -> String { isRecording ? make() : "" }

  /// Begins a crumb of a level. If recording is not possible now, the result accepts all data and
  /// records nothing. An early return would force the caller to create its list of data in memory.
  @usableFromInline
  @inline(never)
  func beginCrumb(at level: CrumbLevel) -> PendingCrumb { beginCrumb(kind: level.kind) }

  /// Begins a lifecycle crumb.
  @usableFromInline
  @inline(never)
  func beginLifecycleCrumb() -> PendingCrumb {
    beginCrumb(kind: UInt8(MS_KIND_LIFECYCLE.rawValue))
  }

  /// Restarts a crumb to which a value with a custom description is added. The bracket ends before
  /// the description runs, because that is foreign code and may record crumbs.
  @usableFromInline
  @inline(never)
  func gather(insteadOf crumb: PendingCrumb) -> PendingCrumb {
    leave(crumb.bracket)
    return .gathering(crumb.kind)
  }

  func beginCrumb(kind: UInt8) -> PendingCrumb {
    guard redact == nil else { return .gathering(kind) }
    let bracket = ms_log_enter_for_data(log, ms_kind(UInt32(kind)))
    return PendingCrumb(
      kind: kind, bracket: bracket.thread, encoder: DataEncoder(data: bracket.data))
  }

  /// Appends a crumb, with the stack of the caller if it `walks`. Returns the bracket, which
  /// `leave` must end.
  @usableFromInline
  @inline(never)
  func endCrumb(
    _ crumb: PendingCrumb, _ message: String, _ level: CrumbLevel, _ category: String, walks: Bool
  ) -> OpaquePointer? {
    var redacted: CrumbContents?
    if let gathered = crumb.gathered?.takeRetainedValue() {
      redacted = self.redacted(
        CrumbContents(message: message, data: gathered.values), level, category)
      if redacted == nil { return nil }
    }
    guard let bracket = crumb.bracket ?? ms_log_enter(log, ms_kind(UInt32(crumb.kind))) else {
      return nil
    }
    var record = shape(bracket, kind: crumb.kind, level)
    if walks { walk(bracket, into: &record) }
    if let redacted {
      append(bracket, redacted, as: &record, category)
    } else {
      let encoder = crumb.encoder
      encoder.addContext()
      append(bracket, &record, encoder, message, category)
    }
    return bracket
  }

  /// Ends the bracket that `endCrumb` returned.
  @usableFromInline
  @inline(never)
  func leave(_ bracket: OpaquePointer?) {
    if let bracket { ms_log_leave(bracket) }
  }

  /// Appends a crumb without a stack and ends its bracket: the fastest path with data.
  @usableFromInline
  @inline(never)
  func finish(_ crumb: PendingCrumb, _ message: String, _ level: CrumbLevel, _ category: String) {
    guard crumb.gathered == nil else {
      return leave(endCrumb(crumb, message, level, category, walks: false))
    }
    withBytes(of: message) { message, messageSize in
      withBytes(of: category) { category, categorySize in
        note(
          crumb, level, message, UInt32(clamping: messageSize), category,
          UInt8(clamping: categorySize))
      }
    }
  }

  @inline(__always)
  private func note(
    _ crumb: PendingCrumb, _ level: CrumbLevel, _ message: UnsafeRawPointer?, _ messageSize: UInt32,
    _ category: UnsafeRawPointer?, _ categorySize: UInt8
  ) {
    guard let bracket = crumb.bracket else { return }
    let encoder = crumb.encoder
    encoder.addContext()
    let stamp = ms_queue_stamp_here()
    let shape = ms_note_shape(
      message_size: messageSize, category_size: categorySize, kind: crumb.kind,
      level: level.rawValue, flags: stamp.flags | encoder.flags)
    ms_log_note_of(
      bracket, shape, encoder.data, category, message, stamp.serial, stamp.label)
  }

  /// Adds a stack to a crumb. The stack begins with the caller of the function into which this is
  /// inlined.
  @_transparent
  private func walk(_ bracket: OpaquePointer, into record: inout ms_crumb) {
    let frames = ms_log_frames(bracket)
    if let room = ms_log_room(bracket) {
      let walked = ms_walk_remembering(
        room.assumingMemoryBound(to: ms_walk_memory.self), 0, frames, stackDepth, 1)!.pointee
      record.frames = walked.frames
      record.frame_count = UInt16(truncatingIfNeeded: walked.count)
      record.walk_end = UInt8(truncatingIfNeeded: walked.end.rawValue)
      record.walk = walked.id
    } else {
      var end = MS_WALK_COMPLETE
      record.frame_count = UInt16(ms_walk_here(frames, stackDepth, 1, &end))
      record.walk_end = UInt8(end.rawValue)
    }
  }
}

// Crumbs with a fixed message, which is never copied, and no data.
extension BreadcrumbRecorder {
  /// Records a fixed message without a stack: the fastest path.
  @usableFromInline
  @inline(never)
  func append(_ message: StaticString, _ level: CrumbLevel, _ category: StaticString) {
    let kind = level.kind
    guard redact == nil && message.hasPointerRepresentation else {
      return finish(beginCrumb(kind: kind), message.text, level, category.text)
    }
    guard !CrumbContext.isHere else {
      return note(
        beginCrumb(kind: kind), level, message.start, message.noteSize, category.start,
        category.crumbSize)
    }
    let stamp = ms_queue_stamp_here()
    ms_log_note(
      log, shape(of: message, level, category, flags: stamp.flags), category.start, message.start,
      stamp.serial, stamp.label)
  }

  /// Records a fixed message with the stack of the caller. Returns false, and records nothing, if a
  /// redaction hook must process the crumb.
  @usableFromInline
  @inline(never)
  func appendWithStack(
    _ message: StaticString, _ level: CrumbLevel, _ category: StaticString
  ) -> Bool {
    guard redact == nil && message.hasPointerRepresentation else { return false }
    let bracket = ms_log_enter_to_walk(log, ms_kind(UInt32(level.kind)))
    guard let thread = bracket.thread else { return true }
    guard let room = bracket.room, !CrumbContext.isHere else {
      append(thread, message, level, category)
      return true
    }
    let walked = ms_walk_remembering(
      room.assumingMemoryBound(to: ms_walk_memory.self), UInt(bitPattern: message.start),
      bracket.frames, stackDepth, 1)!
    let stamp = ms_queue_stamp_here()
    ms_log_note_with(
      thread, shape(of: message, level, category, flags: stamp.flags), category.start,
      message.start, stamp.serial, stamp.label, walked.pointee.frames, walked.pointee.count,
      walked.pointee.end.rawValue, walked.pointee.id)
    return true
  }

  /// Records the crumb if there is a context, or no memory for cached walks. The caller's frame
  /// stays in the stack; readers omit it, because it is one of ours.
  @inline(never)
  private func append(
    _ bracket: OpaquePointer, _ message: StaticString, _ level: CrumbLevel,
    _ category: StaticString
  ) {
    var record = shape(bracket, kind: level.kind, level)
    walk(bracket, into: &record)
    let encoder = DataEncoder(data: ms_log_data(bracket))
    encoder.addContext()
    record.message = message.start
    record.message_size = message.utf8CodeUnitCount
    record.category = category.start
    record.category_size = category.utf8CodeUnitCount
    ms_crumb_set_data(&record, encoder.data)
    ms_log_append(bracket, &record)
    ms_log_leave(bracket)
  }

  @_transparent
  private func shape(
    of message: StaticString, _ level: CrumbLevel, _ category: StaticString, flags: UInt8
  ) -> ms_note_shape {
    ms_note_shape(
      message_size: message.noteSize, category_size: category.crumbSize, kind: level.kind,
      level: level.rawValue, flags: flags)
  }
}

// Crumbs of our adapters.
extension BreadcrumbRecorder {
  /// Records a breadcrumb whose keys are known only at run time, with its source location if given.
  package func record(
    _ message: String, level: CrumbLevel, category: String,
    values: [(key: String, value: CrumbValue)], from site: (file: String, line: UInt)? = nil
  ) {
    var crumb = beginCrumb(kind: level.kind)
    for (key, value) in values { crumb.add(key, value) }
    if let site { crumb.add(MS_KEY_SITE, file: site.file, line: site.line) }
    leave(
      endCrumb(crumb, message, level, category, walks: StackCapture.automatic.walks(at: level)))
  }
}

extension CrumbLevel {
  /// The kind of crumb for this level. Errors are a separate kind, so that only errors can
  /// overwrite them.
  var kind: UInt8 { UInt8((self < .error ? MS_KIND_NOTE : MS_KIND_ERROR).rawValue) }
}

extension StaticString {
  var start: UnsafeRawPointer { UnsafeRawPointer(utf8Start) }
  var noteSize: UInt32 { UInt32(truncatingIfNeeded: utf8CodeUnitCount) }
  var crumbSize: UInt8 { UInt8(clamping: utf8CodeUnitCount) }
  var text: String { "\(self)" }
}

extension ms_queue_stamp {
  var flags: UInt8 {
    if onMain { return UInt8(MS_CRUMB_ON_MAIN.rawValue) }
    return ms_queue_reads_directly() ? 0 : UInt8(MS_CRUMB_MAIN_UNKNOWN.rawValue)
  }
}
