import Glibc
import IncidentModel

/// The contents of a core's notes: threads, mapped files, the signal.
struct CoreNotes {
  struct MappedFile {
    var range: Range<UInt64>
    var offset: UInt64
    var path: String
  }

  /// The signal that ended the process, as in `siginfo_t`.
  struct SignalInfo {
    var signal: Int
    var code: Int
    /// The fault address, or the sender's process and user id in one word.
    var word: UInt64
  }

  private(set) var process: Int?
  /// The first 15 bytes of the program's name.
  private(set) var name = ""
  /// The threads, beginning with the thread that died first.
  private(set) var threads: [NativeThread] = []
  private(set) var files: [MappedFile] = []
  private(set) var signalInfo: SignalInfo?
  /// Whether a debugger wrote the core: it describes the process before the threads, the kernel behind the first one.
  private(set) var isOfDebugger = false
  /// The current signal of the first thread.
  private(set) var signal = 0
  /// The kernel's auxiliary vector: values by type.
  private(set) var auxiliary: [UInt64: UInt64] = [:]
  private(set) var unread: [Unread] = []

  /// The maximum size of the notes. Ten thousand threads take about 50 MB.
  private static let mostBytes: UInt64 = 256 << 20
  private static let mostFiles: UInt64 = 1 << 20
  private static let signalInfoType: UInt32 = 0x5349_4749
  private static let filesType: UInt32 = 0x4649_4c45
  private static let threadPointerType: UInt32 = 0x401

  init(of file: CoreBytes, _ headers: CoreHeaders) {
    var room = Self.mostBytes
    for segment in headers.segments where segment.p_type == UInt32(PT_NOTE) {
      let offset = segment.p_offset
      let there = offset < file.size ? min(segment.p_filesz, file.size - offset) : 0
      let count = min(there, room)
      room -= count
      guard let bytes = try? file.bytes(offset, count, of: "notes") else { continue }
      var notes = ELFNotes(bytes)
      while let note = notes.next() {
        // Notes with other names than the kernel's are skipped unless they are needed, for example
        // `LINUX` for extended registers.
        read(note, headers.machine, at: offset)
      }
      if count < segment.p_filesz {
        unread.append(
          Unread(offset: offset &+ count, length: segment.p_filesz - count, reason: .truncated))
      } else if let rest = notes.unread {
        unread.append(
          Unread(
            offset: offset &+ UInt64(rest), length: count - UInt64(rest),
            reason: .other("a note that is longer than its segment")))
      }
    }
  }

  private mutating func read(
    _ note: ELFNotes.Note, _ machine: Registers.Machine, at segment: UInt64
  ) {
    let content = Array(note.content)
    switch note.type {
    case UInt32(NT_PRSTATUS) where note.name == "CORE":
      if addThread(content, machine) { return }
      unread.append(
        Unread(
          offset: segment &+ UInt64(note.offset), length: UInt64(content.count),
          reason: .other("a thread's registers (NT_PRSTATUS) in an unknown layout")))
    case UInt32(NT_PRPSINFO):
      isOfDebugger = threads.isEmpty
      process = content.load(UInt32.self, at: 24).map { Int($0) }
      name = String(decoding: content.dropFirst(40).prefix(16).prefix { $0 != 0 }, as: UTF8.self)
    case UInt32(NT_AUXV): readAuxiliary(content)
    case Self.filesType: readFiles(content)
    case Self.signalInfoType where signalInfo == nil: readSignal(content)
    case Self.threadPointerType where machine == .aarch64:
      if let pointer = content.load(UInt64.self, at: 0), !threads.isEmpty {
        threads[threads.count - 1].registers?.threadPointer = pointer
      }
    default: break
    }
  }

  /// Reads the kernel's `struct elf_prstatus`: the thread id is at offset 32, the registers are at
  /// offset 112.
  private mutating func addThread(_ content: [UInt8], _ machine: Registers.Machine) -> Bool {
    guard let id = content.load(UInt32.self, at: 32) else { return false }
    let values = (0..<34).prefix { 112 + $0 * 8 + 8 <= content.count }
      .compactMap { content.load(UInt64.self, at: 112 + $0 * 8) }
    guard let registers = ThreadRegisters(machine: machine, values: values) else { return false }
    if threads.isEmpty { signal = Int(content.load(Int16.self, at: 12) ?? 0) }
    var thread = NativeThread(kernelID: Int(id), name: "", registers: registers)
    thread.call = registers.call
    threads.append(thread)
    return true
  }

  private mutating func readAuxiliary(_ content: [UInt8]) {
    for place in stride(from: 0, to: content.count - 15, by: 16) {
      guard let type = content.load(UInt64.self, at: place), type != 0 else { return }
      auxiliary[type] = content.load(UInt64.self, at: place + 8)
    }
  }

  private mutating func readSignal(_ content: [UInt8]) {
    guard let signal = content.load(Int32.self, at: 0), let code = content.load(Int32.self, at: 8),
      let word = content.load(UInt64.self, at: 16)
    else { return }
    signalInfo = SignalInfo(signal: Int(signal), code: Int(code), word: word)
  }

  /// Reads NT_FILE: the number of files, the page size, `start end page` for each file, and the
  /// paths.
  private mutating func readFiles(_ content: [UInt8]) {
    guard let count = content.load(UInt64.self, at: 0), count <= Self.mostFiles,
      let page = content.load(UInt64.self, at: 8), 16 + Int(count) * 24 <= content.count
    else { return }
    var paths = content.dropFirst(16 + Int(count) * 24)
    for index in 0..<Int(count) {
      let place = 16 + index * 24
      guard let end = paths.firstIndex(of: 0), let start = content.load(UInt64.self, at: place),
        let limit = content.load(UInt64.self, at: place + 8),
        let offset = content.load(UInt64.self, at: place + 16), start < limit
      else { return }
      files.append(
        MappedFile(
          range: start..<limit, offset: offset &* page,
          path: String(decoding: paths[..<end], as: UTF8.self)))
      paths = paths[(end + 1)...]
    }
  }
}
