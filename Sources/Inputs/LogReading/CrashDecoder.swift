import CLogFormat
import IncidentModel

/// Assembles crashes from their records. A log may contain several crashes; only the last one can
/// have ended the process.
struct CrashDecoder {
  private var crashes: [UInt32: Crash] = [:]
  /// The index in `otherThreads` of each thread of a crash, by crash number and kernel id.
  private var places: [UInt32: [Int: Int]] = [:]

  /// Returns the crash that ended the process; nil if the process ended in another way.
  ///
  /// - Parameter number: The number of the crash. Outer nil: the log's header records no crash.
  ///   Inner nil: the header is lost, and the last crash counts unless the process survived it.
  func last(_ number: UInt32??) -> Crash? {
    guard let number else { return nil }
    if let number { return crashes[number] }
    return crashes.max { $0.key < $1.key }.flatMap { $0.value.stage == .recovered ? nil : $0.value }
  }

  /// True if `type` is a record of a crash.
  static func decodes(_ type: UInt32) -> Bool {
    (MS_RECORD_CRASH.rawValue...MS_RECORD_CRASH_CONTEXT.rawValue).contains(type)
  }

  /// Adds a record to its crash. Returns false if the record is invalid.
  mutating func add(_ record: RecordBytes, type: UInt32, clock: LogClock) -> Bool {
    guard let head = record.load(ms_record_head.self) else { return false }
    if type == MS_RECORD_CRASH.rawValue { return addSignal(record, head.number, clock) }
    let number = head.number
    // Each case mutates the crash in place: a copy per record would make decoding quadratic.
    return switch type {
    case MS_RECORD_CRASH_THREAD.rawValue:
      crashes[number]?.addThread(record, &places[number, default: [:]]) ?? false
    case MS_RECORD_CRASH_REGISTERS.rawValue: crashes[number]?.addRegisters(record) ?? false
    case MS_RECORD_CRASH_TEXT.rawValue: crashes[number]?.addText(record) ?? false
    case MS_RECORD_CRASH_TASK.rawValue: crashes[number]?.addTask(record) ?? false
    case MS_RECORD_CRASH_BYTES.rawValue: crashes[number]?.addBytes(record) ?? false
    case MS_RECORD_CRASH_THROWN.rawValue: crashes[number]?.addThrown(record) ?? false
    case MS_RECORD_CRASH_TASK_NAME.rawValue: crashes[number]?.addTaskName(record) ?? false
    case MS_RECORD_CRASH_TASK_PLACE.rawValue: crashes[number]?.addTaskPlace(record) ?? false
    case MS_RECORD_CRASH_WAITS.rawValue: crashes[number]?.addWaits(record) ?? false
    case MS_RECORD_CRASH_WAIT.rawValue: crashes[number]?.addWait(record) ?? false
    case MS_RECORD_CRASH_ALL_TASKS.rawValue: crashes[number]?.addAllTasks(record) ?? false
    case MS_RECORD_CRASH_CONTEXT.rawValue: crashes[number]?.addContext(record) ?? false
    default: crashes[number]?.addProgress(record) ?? false
    }
  }

  private mutating func addSignal(
    _ record: RecordBytes, _ number: UInt32, _ clock: LogClock
  ) -> Bool {
    guard let fixed = record.load(ms_crash_record.self) else { return false }
    let role: Crash.Other.Role
    switch UInt32(fixed.role) {
    case MS_CRASH_FIRST.rawValue:
      crashes[number] = Crash(fixed, clock)
      places[number] = nil
      return true
    case MS_CRASH_MEANWHILE.rawValue: role = .otherThread
    case MS_CRASH_NESTED.rawValue: role = .whileRecording
    case MS_CRASH_AFTERWARDS.rawValue: role = .afterwards
    default: return false
    }
    crashes[number]?.others.append(
      Crash.Other(role: role, signal: Int(fixed.signal), kernelID: Int(fixed.kernel_id)))
    return crashes[number] != nil
  }
}

extension Crash {
  fileprivate init(_ fixed: ms_crash_record, _ clock: LogClock) {
    let time = clock.time(at: fixed.ticks)
    let isSent = UInt32(fixed.flags) & MS_CRASH_SENT.rawValue != 0
    self.init(
      monotonic: time.monotonic, wall: time.wall, signal: Int(fixed.signal), code: Int(fixed.code),
      address: isSent ? nil : fixed.address,
      sender: isSent
        ? Sender(process: Int(fixed.sender_process), user: Int(fixed.sender_user)) : nil,
      kernelID: Int(fixed.kernel_id))
    // The recorded address is 0 if the processor reported none.
    if isWithoutAddress { address = nil }
  }

  fileprivate mutating func addThread(
    _ record: RecordBytes, _ places: inout [Int: Int]
  ) -> Bool {
    let size = 56
    guard let fixed = record.load(FixedThread.self, at: 16),
      let source = CrashThread.Source(rawValue: fixed.source),
      let frames = record.words(at: size, count: Int(fixed.count)),
      let label = record.text(at: size + frames.count * 8, count: Int(fixed.labelSize))
    else { return false }
    let addresses = frames.enumerated().map { index, address in
      index == 0 && fixed.firstIsInstruction != 0
        ? FrameAddress.instruction(address) : FrameAddress(word: address)
    }
    let flags = UInt32(fixed.flags)
    let thread = CrashThread(
      kernelID: Int(fixed.kernelID), ordinal: fixed.ordinal == 0 ? nil : Int(fixed.ordinal),
      name: record.text(at: 32, count: 16).map { String($0.prefix { $0 != "\0" }) } ?? "",
      queue: fixed.queueSerial == 0 ? nil : Queue(serial: fixed.queueSerial, label: label),
      onMain: flags & MS_CRASH_ON_MAIN.rawValue != 0
        ? .yes : flags & MS_CRASH_MAIN_UNKNOWN.rawValue != 0 ? .unknown : .no,
      stack: Stack(frames: addresses, end: Stack.End(rawValue: fixed.end) ?? .noRule),
      source: source)
    add(thread, crashed: fixed.crashed != 0, &places)
    return true
  }

  /// Adds a thread. A thread that crashed during another crash records its own stack and may be
  /// sampled too; its own record takes precedence.
  private mutating func add(_ thread: CrashThread, crashed: Bool, _ places: inout [Int: Int]) {
    if crashed && thread.kernelID == kernelID {
      self.thread = thread
    } else if let known = places[thread.kernelID] {
      if crashed { otherThreads[known] = thread }
    } else {
      places[thread.kernelID] = otherThreads.count
      otherThreads.append(thread)
    }
  }

  fileprivate mutating func addRegisters(_ record: RecordBytes) -> Bool {
    guard let raw = record.load(UInt32.self, at: 16), let count = record.load(UInt32.self, at: 20),
      let machine = Registers.Machine(rawValue: raw),
      let values = record.words(at: 24, count: Int(count))
    else { return false }
    registers = Registers(machine: machine, values: values)
    return true
  }

  fileprivate mutating func addText(_ record: RecordBytes) -> Bool {
    guard let fixed = record.load(ms_crash_text_record.self),
      let text = record.text(at: 24, count: Int(fixed.size))
    else { return false }
    switch UInt32(fixed.source) {
    case MS_TEXT_SWIFT.rawValue: texts.append(.swift(text))
    case MS_TEXT_C_LIBRARY.rawValue: texts.append(.cLibrary(text))
    case MS_TEXT_EXCEPTION_TYPE.rawValue: texts.append(.exceptionType(mangled: text))
    case MS_TEXT_EXCEPTION.rawValue: texts.append(.exception(text))
    default: return false
    }
    return true
  }

  fileprivate mutating func addTask(_ record: RecordBytes) -> Bool {
    guard let id = record.load(UInt64.self, at: 16) else { return false }
    task = CrashTask(id: id)
    return true
  }

  fileprivate mutating func addContext(_ record: RecordBytes) -> Bool {
    guard let fixed = record.load(ms_crash_context_record.self),
      let bytes = record.bytes(at: 24, count: Int(fixed.size))
    else { return false }
    crumbContext = bytes.withUnsafeBytes { EventData(bytes: $0).decoded }
    return true
  }

  fileprivate mutating func addTaskName(_ record: RecordBytes) -> Bool {
    guard let fixed = record.load(ms_crash_task_name_record.self), fixed.task == task?.id,
      let name = record.text(at: 32, count: Int(fixed.size))
    else { return false }
    task?.name = name
    return true
  }

  /// Sets the place of the crashed task, or adds a task that another thread runs.
  fileprivate mutating func addTaskPlace(_ record: RecordBytes) -> Bool {
    guard let fixed = record.load(ms_crash_task_place_record.self),
      let type = record.text(at: 48, count: Int(fixed.size))
    else { return false }
    var found = CrashTask(id: fixed.task)
    found.parent = fixed.parent == 0 ? nil : fixed.parent
    found.priority = fixed.priority == 0 ? nil : CrashTask.Priority(rawValue: fixed.priority)
    found.executor = fixed.executor
    found.place =
      switch fixed.place {
      case 1: .noActor
      case 2: .mainActor
      case 3: .actor(type)
      case 4: .executor(type)
      default: nil
      }
    if fixed.kernel_id == UInt32(truncatingIfNeeded: kernelID) {
      guard task?.id == found.id else { return false }
      found.name = task?.name
      task = found
    } else {
      otherTasks.append(CrashTask.OnThread(kernelID: Int(fixed.kernel_id), task: found))
    }
    return true
  }

  fileprivate mutating func addWaits(_ record: RecordBytes) -> Bool {
    // An older record ends before the number of unread bytes.
    guard let tasks = record.load(UInt32.self, at: 24) else { return false }
    waiting = WaitingTasks(tasks: Int(tasks), unread: record.load(UInt64.self, at: 32) ?? 0)
    return true
  }

  fileprivate mutating func addAllTasks(_ record: RecordBytes) -> Bool {
    guard let fixed = record.load(ms_crash_all_tasks_record.self) else { return false }
    allTasks = Int(clamping: fixed.tasks)
    return true
  }

  fileprivate mutating func addWait(_ record: RecordBytes) -> Bool {
    guard waiting != nil, let fixed = record.load(FixedWait.self, at: 16),
      let kind = WaitingTasks.Kind(rawValue: fixed.kind),
      let frames = record.words(at: 64, count: Int(fixed.count)),
      let type = record.text(at: 64 + frames.count * 8, count: Int(fixed.size))
    else { return false }
    waiting?.places.append(
      WaitingTasks.Place(
        kind: kind, executor: fixed.subject, type: type, tasks: Int(fixed.tasks),
        task: fixed.task,
        stack: Stack(
          frames: frames.map(FrameAddress.init(word:)),
          end: Stack.End(rawValue: fixed.end) ?? .noRule)))
    return true
  }

  fileprivate mutating func addBytes(_ record: RecordBytes) -> Bool {
    guard let fixed = record.load(ms_crash_bytes_record.self),
      let contents = record.bytes(at: 32, count: Int(fixed.size))
    else { return false }
    let bytes = Bytes(address: fixed.address, bytes: contents)
    if fixed.place == MS_BYTES_CODE.rawValue { codeBytes = bytes } else { stackBytes = bytes }
    return true
  }

  fileprivate mutating func addThrown(_ record: RecordBytes) -> Bool {
    guard let count = record.load(UInt16.self, at: 16), let end = record.load(UInt8.self, at: 18),
      let frames = record.words(at: 24, count: Int(count))
    else { return false }
    thrown = Stack(
      frames: frames.map(FrameAddress.init(word:)), end: Stack.End(rawValue: end) ?? .noRule)
    return true
  }

  fileprivate mutating func addProgress(_ record: RecordBytes) -> Bool {
    guard let fixed = record.load(ms_crash_progress_record.self) else { return false }
    switch fixed.stage {
    case MS_CRASH_RECORDED.rawValue: stage = .recorded
    case MS_CRASH_HANDED.rawValue: stage = .handedToHost
    case MS_CRASH_RECOVERED.rawValue: stage = .recovered
    default: return false
    }
    threadCount = Int(fixed.threads_found)
    walkedCount = Int(fixed.threads_walked)
    isOutOfTime = fixed.out_of_time != 0
    isListIncomplete = fixed.list_incomplete != 0
    return true
  }
}

// Swift imports structs with a flexible array member incompletely: these fields follow the header
// of an `ms_crash_thread_record`.
private struct FixedThread: BitwiseCopyable {
  var queueSerial: UInt64
  var kernelID: UInt32
  var ordinal: UInt32
  var name: (UInt64, UInt64)
  var count: UInt16
  var end: UInt8
  var source: UInt8
  var flags: UInt8
  var crashed: UInt8
  var labelSize: UInt8
  var firstIsInstruction: UInt8
}

/// The fields that follow the header of an `ms_crash_wait_record`.
private struct FixedWait: BitwiseCopyable {
  var reserved: (UInt64, UInt64)
  var task: UInt64
  var subject: UInt64
  var tasks: UInt32
  var count: UInt16
  var end: UInt8
  var kind: UInt8
  var reservedFlags: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)
  var size: UInt16
}
