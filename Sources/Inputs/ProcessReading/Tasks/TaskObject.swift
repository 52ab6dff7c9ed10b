import IncidentModel

/// The memory of one task, checked against all invariants of a task object.
struct TaskObject {
  /// The size of the part that all tasks have, on 64-bit machines.
  static let size: UInt64 = 208

  let address: UInt64
  let references: UInt64
  let jobFlags: UInt32
  let id: UInt64
  let resume: UInt64
  let context: UInt64
  let status: UInt32
  /// The newest status record.
  let record: UInt64
  let firstSlab: UInt64

  private enum Offset {
    static let references: UInt64 = 8
    static let flags: UInt64 = 32
    static let resume: UInt64 = 56
    static let context: UInt64 = 64
    static let status: UInt64 = 96
    static let record: UInt64 = 104
    static let slab: UInt64 = 120
    static let idHigh: UInt64 = 144
    static let basePriority: UInt64 = 152
  }

  private enum Status {
    static let priority: UInt32 = 0xff
    static let cancelled: UInt32 = 0x100
    static let running: UInt32 = 0x800
    static let enqueued: UInt32 = 0x1000
    static let complete: UInt32 = 0x2000
    static let dependency: UInt32 = 0x4000
    static let known: UInt32 = 0x7fff
  }

  private static let immortal: UInt64 = 0x8000_0004_ffff_ffff
  private static let highestPriority: UInt64 = 0x21

  /// Reads the task at `address`; nil if the memory is no task or a freed task.
  ///
  /// - Parameter isKnown: True if the layout beyond the header is known.
  init?(at address: UInt64, _ reader: WordReader, isKnown: Bool) {
    // User addresses are in the lower half of the address space.
    guard address <= UInt64(Int64.max) - Self.size,
      let references = reader.word(at: address + Offset.references),
      let flags = reader.word(at: address + Offset.flags),
      let resume = reader.word(at: address + Offset.resume),
      let context = reader.word(at: address + Offset.context)
    else { return nil }
    // The runtime sets bit 32 before it frees an object. Bit 63 means that the reference counts are
    // stored outside the object.
    guard references == Self.immortal || references & 1 << 63 != 0 || references & 1 << 32 == 0,
      references != 0
    else { return nil }
    self.address = address
    self.references = references
    self.resume = resume
    self.context = context
    jobFlags = UInt32(truncatingIfNeeded: flags)
    // Kind 0 is a task; bits 16 to 23 are unused.
    guard jobFlags & 0xff == 0, jobFlags & 0xff_0000 == 0, flags >> 32 != 0,
      UInt64(jobFlags >> 8 & 0xff) <= Self.highestPriority, reader.isCode(resume),
      context & 7 == 0
    else { return nil }
    guard isKnown else {
      id = flags >> 32
      (status, record, firstSlab) = (0, 0, 0)
      return
    }
    guard let status = reader.word(at: address + Offset.status),
      let record = reader.word(at: address + Offset.record),
      let slab = reader.word(at: address + Offset.slab),
      let high = reader.half(at: address + Offset.idHigh),
      let base = reader.word(at: address + Offset.basePriority)
    else { return nil }
    self.status = UInt32(truncatingIfNeeded: status)
    self.record = record
    firstSlab = slab
    id = UInt64(high) << 32 | flags >> 32
    guard status >> 32 == 0, self.status & ~Status.known == 0, base <= Self.highestPriority,
      UInt64(self.status & Status.priority) <= Self.highestPriority, record & 7 == 0
    else { return nil }
    guard isConsistent(reader) else { return nil }
  }

  /// False if the fields contradict each other. A finished child of `async let` is no task, because
  /// its memory belongs to the parent again.
  private func isConsistent(_ reader: WordReader) -> Bool {
    if isComplete { return !isAsyncLet }
    guard reader.word(at: context) != nil else { return false }
    if isRunning && isEnqueued { return false }
    if status & Status.dependency != 0 {
      return StatusRecords(of: self, reader).dependency != nil || isLocked
    }
    return !isEnqueued
  }

  private var isLocked: Bool { status & 0x200 != 0 }
  var isCancelled: Bool { status & Status.cancelled != 0 }
  var isRunning: Bool { status & Status.running != 0 }
  var isEnqueued: Bool { status & Status.enqueued != 0 }
  var isComplete: Bool { status & Status.complete != 0 }
  var hasDependency: Bool { status & Status.dependency != 0 }
  var isChild: Bool { jobFlags & 1 << 24 != 0 }
  var isFuture: Bool { jobFlags & 1 << 25 != 0 }
  var isGroupChild: Bool { jobFlags & 1 << 26 != 0 }
  var isAsyncLet: Bool { jobFlags & 1 << 28 != 0 }

  /// The current priority, including escalation.
  var priority: UInt8 {
    let raised = UInt8(truncatingIfNeeded: status & Status.priority)
    return raised == 0 ? UInt8(truncatingIfNeeded: jobFlags >> 8) : raised
  }

  var flags: PictureTask.Flags {
    var flags: PictureTask.Flags = []
    if isCancelled { flags.insert(.cancelled) }
    if isChild { flags.insert(.child) }
    if isGroupChild { flags.insert(.groupChild) }
    if isAsyncLet { flags.insert(.asyncLet) }
    return flags
  }

  /// The address of the parent task; nil if the task is no child.
  func parent(_ reader: WordReader) -> UInt64? {
    isChild ? reader.word(at: address + Self.size) : nil
  }

  /// The address of the next child of the same parent or group; nil if the task is no child.
  func nextSibling(_ reader: WordReader) -> UInt64? {
    isChild ? reader.word(at: address + Self.size + 8) : nil
  }

  /// The end of the runtime's part of the task object; the result follows.
  var end: UInt64 {
    address + Self.size + (isChild ? 16 : 0) + (isGroupChild ? 8 : 0) + (isFuture ? 24 : 0)
  }

  /// The number of references without the task's own; nil if the count is stored outside the
  /// object.
  var handles: Int? {
    references == Self.immortal || references >> 63 != 0 ? nil : Int(references >> 33)
  }
}
