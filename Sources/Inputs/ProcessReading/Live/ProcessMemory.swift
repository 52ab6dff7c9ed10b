import CProcessMemory
import Glibc
import IncidentModel

/// The memory of a running process.
package final class ProcessMemory: MemoryImage {
  /// The `errno` of a failed access to a process.
  package struct Failure: Error, Equatable {
    package var code: CInt
  }

  package let process: Int
  package private(set) var regions: [MemoryRegion] = []
  /// The modules. Their headers are read on first use, which must not happen only because the
  /// process is stopped.
  package var modules: [Module] { mapped.map(\.module) }
  private(set) lazy var mapped = readModules()
  private var mappings: [FileMapping] = []
  private var listed: [UInt8] = []
  private let descriptor: CInt
  /// The descriptor of `/proc/PID/pagemap`, with one word per page; negative if access is denied.
  private let pages: CInt

  /// Opens the memory of a process. Requires the permission to trace the process.
  package init(process: Int) throws(Failure) {
    self.process = process
    descriptor = ms_process_memory_open(CInt(clamping: process))
    pages = open("/proc/\(process)/pagemap", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    try refresh()
  }

  deinit {
    close(descriptor)
    if pages >= 0 { close(pages) }
  }

  /// Reads the list of mappings again.
  package func refresh() throws(Failure) {
    guard let maps = ProcessFiles.read("/proc/\(process)/maps") else { throw Failure(code: errno) }
    // The time is short while the process is stopped, and the list is usually unchanged.
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

  package func occupied(in range: Range<UInt64>) -> [Range<UInt64>] {
    guard pages >= 0 else { return [range] }
    let size = UInt64(sysconf(Int32(_SC_PAGESIZE)))
    var found: [Range<UInt64>] = []
    var words = [UInt64](repeating: 0, count: 4096)
    var page = range.lowerBound / size
    let end = (range.upperBound + size - 1) / size
    while page < end {
      let wanted = Int(min(end - page, UInt64(words.count)))
      let got = pread(pages, &words, wanted * 8, off_t(page * 8)) / 8
      // The page table could not be read further, so the rest counts as occupied.
      guard got > 0 else { return found + [max(range.lowerBound, page * size)..<range.upperBound] }
      for (index, word) in words.prefix(got).enumerated()
      where word & Self.hasContent != 0 && word & Self.isGuard == 0 {
        let start = max(range.lowerBound, (page + UInt64(index)) * size)
        let stop = min(range.upperBound, (page + UInt64(index) + 1) * size)
        if let last = found.last, last.upperBound == start {
          found[found.count - 1] = last.lowerBound..<stop
        } else {
          found.append(start..<stop)
        }
      }
      page += UInt64(got)
    }
    return found
  }

  /// The bits of a page table word for a present page and for a page in swap.
  private static let hasContent: UInt64 = 3 << 62
  /// The bit for a guard page, which nothing can read, and which also has a bit of `hasContent`
  /// (MADV_GUARD_INSTALL, Linux 6.14).
  private static let isGuard: UInt64 = 1 << 58

  /// The stamp of the file at the mapping's path, as the process sees it; nil if that file is not
  /// the mapped one.
  private static func stamp(of mapping: FileMapping, _ process: Int) -> FileStamp? {
    var status = stat()
    guard stat("/proc/\(process)/root\(mapping.path)", &status) == 0,
      UInt64(status.st_ino) == mapping.inode
    else { return nil }
    return FileStamp(status)
  }
}
