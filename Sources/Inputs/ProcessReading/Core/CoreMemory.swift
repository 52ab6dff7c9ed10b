import Glibc
import IncidentModel

/// The memory in a core dump. Pages that the kernel omitted are read from the mapped files.
final class CoreMemory: MemoryImage {
  /// A range of addresses and the part of the range that is in the core.
  private struct Segment {
    var range: Range<UInt64>
    var offset: UInt64
    /// The number of bytes of the range that are in the core file.
    var kept: UInt64
  }

  /// The upper limit of user addresses.
  private static let end = UInt64(Int64.max)

  let regions: [MemoryRegion]
  private(set) var mapped: [MappedModule] = []
  var modules: [Module] { mapped.map(\.module) }
  /// The parts of the dump that lie beyond the end of a truncated file.
  let unread: [Unread]

  private let file: CoreBytes
  private let segments: [Segment]
  private let mappings: [FileMapping]
  private let files: CoreFiles
  private let program: String?

  /// - Parameter program: the path of the executable according to the core; `files` may find it at
  ///   another path.
  init(
    _ file: CoreBytes, _ headers: CoreHeaders, _ notes: CoreNotes, _ files: CoreFiles,
    program: String?
  ) {
    self.file = file
    self.files = files
    self.program = program
    let loads = headers.segments.filter {
      // User addresses are in the lower half of the address space.
      $0.p_type == UInt32(PT_LOAD) && $0.p_memsz > 0 && $0.p_vaddr < Self.end
        && $0.p_memsz <= Self.end - $0.p_vaddr
    }.sorted { $0.p_vaddr < $1.p_vaddr }
    var (segments, regions, missing): ([Segment], [MemoryRegion], [Unread]) = ([], [], [])
    let listed = notes.files.filter { $0.range.upperBound <= Self.end }
    let names = MappingNames(listed)
    var end: UInt64 = 0
    for load in loads where load.p_vaddr >= end {
      end = load.p_vaddr + load.p_memsz
      let wanted = min(load.p_filesz, load.p_memsz)
      let there = load.p_offset < file.size ? min(wanted, file.size - load.p_offset) : 0
      if there < wanted {
        missing.append(
          Unread(offset: load.p_offset &+ there, length: wanted - there, reason: .truncated))
      }
      segments.append(Segment(range: load.p_vaddr..<end, offset: load.p_offset, kept: there))
      regions.append(
        MemoryRegion(
          range: load.p_vaddr..<end, isWritable: load.p_flags & UInt32(PF_W) != 0,
          isExecutable: load.p_flags & UInt32(PF_X) != 0,
          path: names.mapping(at: load.p_vaddr)?.path ?? ""))
    }
    // A debugger omits segments of unmodified code; then only the headers of the mapped file show
    // which addresses are code.
    regions += listed.filter { file in
      [file.range.lowerBound, file.range.upperBound - 1].allSatisfy {
        Self.index(of: $0, in: segments, \.range) == nil
      }
    }.map {
      MemoryRegion(range: $0.range, isWritable: false, isExecutable: true, path: $0.path)
    }
    self.segments = segments
    self.regions = regions.sorted { $0.range.lowerBound < $1.range.lowerBound }
    unread = missing
    let executable = regions.filter(\.isExecutable).map(\.range)
    mappings = listed.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { file in
      FileMapping(
        region: MemoryRegion(
          range: file.range, isWritable: false,
          isExecutable: executable.contains { $0.overlaps(file.range) }, path: file.path),
        offset: file.offset)
    }
    mapped = ModuleMap(of: self, stamp: stamp).modules(mappings)
    if let vdso = notes.auxiliary[UInt64(AT_SYSINFO_EHDR)],
      let headers = ELFHeaders(at: vdso, in: self)
    {
      let module = Module(
        path: "[vdso]", buildID: headers.buildID(in: self) ?? [], loadBias: headers.loadBias,
        text: headers.text)
      mapped.append(MappedModule(module: module, extent: headers.extent))
    }
  }

  func occupied(in range: Range<UInt64>) -> [Range<UInt64>] {
    segments.compactMap { segment in
      let kept = segment.range.lowerBound..<segment.range.lowerBound + segment.kept
      return kept.overlaps(range) ? kept.clamped(to: range) : nil
    }
  }

  func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < buffer.count {
      let (at, isBeyond) = address.addingReportingOverflow(UInt64(done))
      if isBeyond { break }
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let kept = readKept(at, rest)
      let count = kept > 0 ? kept : readFile(at, rest)
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Reads bytes that are in the core; returns their number.
  private func readKept(_ address: UInt64, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let index = Self.index(of: address, in: segments, \.range) else { return 0 }
    let segment = segments[index]
    let skipped = address - segment.range.lowerBound
    guard skipped < segment.kept else { return 0 }
    let count = Int(min(UInt64(buffer.count), segment.kept - skipped))
    return file.read(
      segment.offset + skipped, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }

  /// Reads, from the mapped file, pages that the kernel omitted from the core. The core always
  /// contains modified pages of file mappings.
  private func readFile(_ address: UInt64, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let index = Self.index(of: address, in: mappings, \.region.range) else { return 0 }
    let mapping = mappings[index]
    let head = mappings[...index].last { $0.path == mapping.path && $0.offset == 0 }
    let content = file(of: mapping.path, head)
    guard let content else { return 0 }
    let count = Int(min(UInt64(buffer.count), mapping.region.range.upperBound - address))
    return content.read(
      mapping.offset &+ (address - mapping.region.range.lowerBound),
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }

  /// - Parameter head: the mapping of the file's first page, which the kernel writes to the core.
  private func file(of path: String, _ head: FileMapping?) -> CoreBytes? {
    files.file(at: path, isProgram: path == program) {
      guard let head else { return [] }
      return [UInt8](unsafeUninitializedCapacity: CoreFiles.headSize) { bytes, filled in
        filled = readKept(head.region.range.lowerBound, UnsafeMutableRawBufferPointer(bytes))
      }
    }
  }

  /// The stamp of a module's file, for modules without a build id.
  private func stamp(of head: FileMapping) -> FileStamp? {
    _ = file(of: head.path, head)
    return files.stamp(of: head.path)
  }

  private static func index<Item>(
    of address: UInt64, in items: [Item], _ range: (Item) -> Range<UInt64>
  ) -> Int? {
    let place = items.partitioningIndex { range($0).upperBound > address }
    return place < items.count && range(items[place]).contains(address) ? place : nil
  }
}

/// The mapped files of a core, by start address.
private struct MappingNames {
  private let byStart: [UInt64: CoreNotes.MappedFile]

  init(_ files: [CoreNotes.MappedFile]) {
    byStart = Dictionary(files.map { ($0.range.lowerBound, $0) }) { first, _ in first }
  }

  /// The mapping that starts at `start`. The kernel writes both a segment and a file entry for a
  /// mapping.
  func mapping(at start: UInt64) -> CoreNotes.MappedFile? { byStart[start] }
}
