import CProcessMemory
import Glibc
import IncidentModel

/// The memory of a running process.
package final class ProcessMemory: MemoryImage {
  /// Why a process cannot be read.
  package struct Failure: Error, Equatable {
    package var code: CInt
  }

  package let process: Int
  package private(set) var regions: [MemoryRegion] = []
  /// The modules, whose headers are read when the list is first needed: never while the process stands still for nothing else.
  package var modules: [Module] { mapped.map(\.module) }
  private(set) lazy var mapped = readModules()
  private var mappings: [FileMapping] = []
  private var listed: [UInt8] = []
  private let descriptor: CInt

  /// Opens the memory of a process, which needs the permission to trace it.
  package init(process: Int) throws(Failure) {
    self.process = process
    descriptor = ms_process_memory_open(CInt(clamping: process))
    guard descriptor >= 0 else { throw Failure(code: errno) }
    try refresh()
  }

  deinit { close(descriptor) }

  /// Reads the list of mappings again.
  package func refresh() throws(Failure) {
    guard let maps = ProcessFiles.read("/proc/\(process)/maps") else { throw Failure(code: errno) }
    // While the process stands still the time is short, and mostly nothing has changed.
    if maps == listed { return }
    listed = maps
    mappings = ProcessMaps.parse(maps)
    regions = mappings.map(\.region)
  }

  private func readModules() -> [MappedModule] {
    ModuleMap(of: self) { [process] in Self.stamp(of: $0, process) }.modules(mappings)
  }

  package func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    return ms_process_memory_read(descriptor, address, start, buffer.count)
  }

  /// The stamp of the file at the mapping's path in the process's own view of files, if that is the mapped one.
  private static func stamp(of mapping: FileMapping, _ process: Int) -> FileStamp? {
    var status = stat()
    guard stat("/proc/\(process)/root\(mapping.path)", &status) == 0,
      UInt64(status.st_ino) == mapping.inode
    else { return nil }
    return FileStamp(status)
  }
}
