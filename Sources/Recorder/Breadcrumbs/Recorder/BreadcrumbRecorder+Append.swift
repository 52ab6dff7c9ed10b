internal import CRecorder

// The steps of `record`, which is inlined into its callers.
extension BreadcrumbRecorder {
  /// A message that is made only while recording.
  @usableFromInline
  @inline(never)
  func textIfRecording(_ make: () -> String) -> String { isRecording ? make() : "" }

  /// Begins a crumb of a level. If nothing can be recorded now, it takes everything and leaves
  /// nothing: a caller that returned early would have to make its list of data in memory.
  @usableFromInline
  @inline(never)
  func beginCrumb(at level: CrumbLevel) -> OpenCrumb { beginCrumb(kind: level.kind) }

  /// Begins a crumb about the process's life, as above.
  @usableFromInline
  @inline(never)
  func beginLifecycleCrumb() -> OpenCrumb {
    beginCrumb(kind: UInt8(MS_KIND_LIFECYCLE.rawValue))
  }

  /// Begins a crumb anew that met a value which has to describe itself: its bracket is left before
  /// that runs its author's code, which may leave crumbs of its own.
  @usableFromInline
  @inline(never)
  func gather(insteadOf crumb: OpenCrumb) -> OpenCrumb {
    leave(crumb.bracket)
    return .gathering(crumb.kind)
  }

  private func beginCrumb(kind: UInt8) -> OpenCrumb {
    guard redact == nil else { return .gathering(kind) }
    let bracket = ms_log_enter_for_data(log, ms_kind(UInt32(kind)))
    return OpenCrumb(
      kind: kind, bracket: bracket.thread, encoder: DataEncoder(bytes: bracket.data))
  }

  /// Writes a crumb, with the stack of the function that called this if it `walks`. Returns the
  /// bracket that is to be left.
  @usableFromInline
  @inline(never)
  func endCrumb(
    _ crumb: OpenCrumb, _ message: String, _ level: CrumbLevel, _ category: StaticString,
    walks: Bool
  ) -> OpaquePointer? {
    finish(crumb, message, level, category.text, walks: walks) { bracket, record in
      withBytes(of: message) { append(bracket, &record, category, $0, $1) }
    }
  }

  /// Writes a crumb whose category was made at run time.
  @usableFromInline
  @inline(never)
  func endCrumb(
    _ crumb: OpenCrumb, _ message: String, _ level: CrumbLevel, inCategory category: String,
    walks: Bool
  ) -> OpaquePointer? {
    finish(crumb, message, level, category, walks: walks) { bracket, record in
      withBytes(of: message) { message, size in
        withBytes(of: category) { append(bracket, &record, $0, $1, message, size) }
      }
    }
  }

  /// Writes a crumb with a fixed message, which is not copied.
  @usableFromInline
  @inline(never)
  func endCrumb(
    _ crumb: OpenCrumb, fixed message: StaticString, _ level: CrumbLevel,
    _ category: StaticString, walks: Bool
  ) -> OpaquePointer? {
    finish(crumb, message.text, level, category.text, walks: walks) { bracket, record in
      message.withUTF8Buffer { append(bracket, &record, category, $0.baseAddress, $0.count) }
    }
  }

  /// What both have in common; inlined in every build, for the walk leaves out one frame.
  @_transparent
  private func finish(
    _ crumb: OpenCrumb, _ message: @autoclosure () -> String, _ level: CrumbLevel,
    _ category: @autoclosure () -> String, walks: Bool,
    write: (OpaquePointer, inout ms_crumb) -> Void
  ) -> OpaquePointer? {
    var redacted: CrumbText?
    if let gathered = crumb.gathered?.takeRetainedValue() {
      let text = CrumbText(message: message(), data: gathered.values)
      redacted = self.redacted(text, level, category())
      if redacted == nil { return nil }
    }
    guard let bracket = crumb.bracket ?? ms_log_enter(log, ms_kind(UInt32(crumb.kind))) else {
      return nil
    }
    var record = shape(bracket, kind: crumb.kind, level, frames: 0, end: MS_WALK_COMPLETE)
    if walks { walk(bracket, into: &record) }
    if let redacted {
      append(bracket, redacted, as: &record, category())
    } else {
      var encoder = crumb.encoder
      encoder.addContext()
      encoder.finish(&record)
      write(bracket, &record)
    }
    return bracket
  }

  /// Writes a crumb without a stack and leaves its bracket: the shortest way with data.
  @usableFromInline
  @inline(never)
  func finish(
    _ crumb: OpenCrumb, _ message: String, _ level: CrumbLevel, _ category: StaticString
  ) {
    guard crumb.gathered == nil else {
      return leave(endCrumb(crumb, message, level, category, walks: false))
    }
    guard let bracket = crumb.bracket else { return }
    var encoder = crumb.encoder
    encoder.addContext()
    let stamp = ms_queue_stamp_here()
    withBytes(of: message) { message, size in
      let shape = ms_note_shape(
        message_size: UInt32(clamping: size), category_size: category.crumbSize, kind: crumb.kind,
        level: level.rawValue, flags: stamp.flags | encoder.flags)
      ms_log_note_of(
        bracket, shape, encoder.shape, category.start, message, stamp.serial, stamp.label)
    }
  }

  /// Puts the stack of whoever called the function that this is inlined into into a crumb.
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

  /// Gives back what `endCrumb` returned.
  @usableFromInline
  @inline(never)
  func leave(_ bracket: OpaquePointer?) {
    if let bracket { ms_log_leave(bracket) }
  }

  /// Leaves a fixed message without a stack: the whole of the fastest way.
  @usableFromInline
  @inline(never)
  func append(_ message: StaticString, _ level: CrumbLevel, _ category: StaticString) {
    let kind = level.kind
    guard redact == nil && message.hasPointerRepresentation && !CrumbContext.isHere else {
      return leave(endCrumb(beginCrumb(kind: kind), fixed: message, level, category, walks: false))
    }
    let stamp = ms_queue_stamp_here()
    ms_log_note(
      log, shape(of: message, level, category, flags: stamp.flags), category.start, message.start,
      stamp.serial, stamp.label)
  }

  /// Leaves a fixed message with the stack of the function that called this, in the shortest way
  /// that can be. False if there is none, and then nothing was left.
  @usableFromInline
  @inline(never)
  func appendWithStack(
    _ message: StaticString, _ level: CrumbLevel, _ category: StaticString
  ) -> Bool {
    guard redact == nil && message.hasPointerRepresentation && !CrumbContext.isHere else {
      return false
    }
    let bracket = ms_log_enter_to_walk(log, ms_kind(UInt32(level.kind)))
    guard let thread = bracket.thread else { return true }
    guard let room = bracket.room else {
      ms_log_leave(thread)
      return false
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

  @_transparent
  func shape(
    of message: StaticString, _ level: CrumbLevel, _ category: StaticString, flags: UInt8
  ) -> ms_note_shape {
    ms_note_shape(
      message_size: UInt32(truncatingIfNeeded: message.utf8CodeUnitCount),
      category_size: category.crumbSize, kind: level.kind, level: level.rawValue, flags: flags)
  }
}

extension CrumbLevel {
  /// Errors are a kind of their own, so that nothing else pushes them out.
  var kind: UInt8 { UInt8((self < .error ? MS_KIND_NOTE : MS_KIND_ERROR).rawValue) }
}

extension StaticString {
  var start: UnsafeRawPointer { UnsafeRawPointer(utf8Start) }
  var crumbSize: UInt8 { UInt8(clamping: utf8CodeUnitCount) }
  var text: String { "\(self)" }
}

extension ms_queue_stamp {
  var flags: UInt8 {
    if onMain { return UInt8(MS_CRUMB_ON_MAIN.rawValue) }
    return ms_queue_reads_directly() ? 0 : UInt8(MS_CRUMB_MAIN_UNKNOWN.rawValue)
  }
}
