import Glibc
import IncidentModel

/// A dead process, read from its core dump.
package final class CoreFile: ProcessSource {
  package struct Options: Sendable {
    /// The path of the executable, if it differs from the path in the core.
    package var executable: String?
    /// The sysroot: a directory with the files of the machine on which the core was dumped.
    package var sysroot: String?

    package init(executable: String? = nil, sysroot: String? = nil) {
      self.executable = executable
      self.sysroot = sysroot
    }
  }

  package let id: Int
  package let executable: String
  package var symbolPlaces: [String] { [options.executable, options.sysroot].compactMap(\.self) }

  let notes: CoreNotes
  let machine: Registers.Machine
  let memory: CoreMemory
  package var modules: [Module] { memory.modules }
  /// The time of the dump, in nanoseconds since 1970.
  let written: UInt64
  private let options: Options
  private let files: CoreFiles

  /// - Parameters:
  ///   - path: the path of the uncompressed core file.
  ///   - name: the core's name in messages.
  package init(path: String, name: String, options: Options = Options()) throws(ProcessFailure) {
    let file = try CoreBytes(path: path, name: name)
    let headers = try CoreHeaders(of: file)
    notes = CoreNotes(of: file, headers)
    guard !notes.threads.isEmpty else {
      throw ProcessFailure(
        """
        \(name): no registers of a thread (NT_PRSTATUS) in the \(headers.segments.count) program \
        headers: the file is truncated or not a core of a process
        """)
    }
    machine = headers.machine
    written = file.written
    self.options = options
    files = CoreFiles(sysroot: options.sysroot, executable: options.executable)
    let program = Self.program(notes)
    memory = CoreMemory(file, headers, notes, files, program: program)
    id = notes.process ?? notes.threads[0].kernelID
    executable = program ?? notes.name
  }

  /// True if a file begins like a core dump; false if the file cannot be read.
  package static func recognises(path: String) -> Bool {
    guard let file = try? CoreBytes(path: path, name: path), (try? CoreHeaders(of: file)) != nil
    else { return false }
    return true
  }

  /// The path of the executable: the mapped file that contains the entry point.
  private static func program(_ notes: CoreNotes) -> String? {
    let entry = notes.auxiliary[UInt64(AT_ENTRY)]
    return notes.files.first { file in entry.map { file.range.contains($0) } ?? false }?.path
  }

  /// The parts of the dump that are missing from the file.
  package var unread: [Unread] { notes.unread + memory.unread }

  package var isMemoryWhole: Bool { unread.isEmpty }

  package var processors: Int? { nil }

  package func capture(whileStopped body: (any MemoryImage, [NativeThread]) -> Void)
    -> ProcessCapture
  {
    var threads = notes.threads
    for index in threads.indices where threads[index].kernelID == id {
      threads[index].name = notes.name
    }
    body(memory, threads)
    return ProcessCapture(
      memory: memory, extents: memory.mapped.map(\.extent), threads: threads, wall: written,
      stop: .dead,
      notes: [])
  }

  /// Describes gaps in the dump with their remedies; complete after the stacks were walked.
  package var shortcomings: [String] {
    var words = files.failures.sorted { $0.key < $1.key }.map(\.value)
    let cut = unread.filter { $0.reason == .truncated }
    if let first = cut.min(by: { $0.offset < $1.offset }) {
      let missing = cut.reduce(UInt64(0)) { $0.addingReportingOverflow($1.length).partialValue }
      words.append(
        """
        the core is truncated at offset \(first.offset): \(missing >> 10) KiB of memory are missing; \
        for a core of systemd, raise ProcessSizeMax= and ExternalSizeMax= in coredump.conf
        """)
    }
    return words
  }
}
