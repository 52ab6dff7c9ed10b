import CProcessMemory
import IncidentModel

/// Walks the stacks of threads with the unwind rules in the process's memory.
///
/// Running processes and core dumps are walked alike, because libdwfl reads all memory through the
/// image.
package final class StackWalker {
  /// An overflowed stack has tens of thousands of frames; the first 4,096 show the recursion.
  private static let mostFrames = 4096

  private let reader: Reader
  private let unwinder: OpaquePointer?

  /// - Parameter extents: the address range of each module, beginning at its headers.
  init(_ image: any MemoryImage, extents: [Range<UInt64>]) {
    let reader = Reader(image)
    self.reader = reader
    let modules = Self.apart(extents).map {
      ms_unwind_module(start: $0.lowerBound, end: $0.upperBound)
    }
    unwinder = ms_unwinder_create(
      modules, modules.count,
      { context, address, buffer, size in
        let reader = Unmanaged<Reader>.fromOpaque(context!).takeUnretainedValue()
        return reader.read(address, UnsafeMutableRawBufferPointer(start: buffer, count: size))
      }, Unmanaged.passUnretained(reader).toOpaque())
  }

  deinit { if let unwinder { ms_unwinder_free(unwinder) } }

  /// The stack of a thread with the given registers.
  package func stack(_ registers: ThreadRegisters) -> Stack {
    guard let unwinder else {
      return Stack(frames: [.instruction(registers.programCounter)], end: .unavailable)
    }
    var (dwarf, count, end) = (registers.dwarf, 0, MS_UNWIND_NO_RULE)
    let frames = [ms_unwind_frame](unsafeUninitializedCapacity: Self.mostFrames) { buffer, filled in
      end = ms_unwinder_walk(unwinder, &dwarf, buffer.baseAddress, buffer.count, &count)
      filled = count
    }
    return Stack(
      frames: frames.map {
        $0.is_instruction ? .instruction($0.address) : .returnAddress($0.address)
      },
      end: Self.end(end))
  }

  private static func end(_ end: ms_unwind_end) -> Stack.End {
    switch end {
    case MS_UNWIND_COMPLETE: .complete
    case MS_UNWIND_LIMIT: .limit
    case MS_UNWIND_NO_MEMORY: .badStack
    default: .noRule
    }
  }

  /// Removes overlapping modules, which libdwfl rejects. A hostile core may contain any ranges.
  private static func apart(_ extents: [Range<UInt64>]) -> [Range<UInt64>] {
    var end: UInt64 = 0
    return extents.sorted { $0.lowerBound < $1.lowerBound }.filter { extent in
      guard extent.lowerBound >= end, !extent.isEmpty else { return false }
      end = extent.upperBound
      return true
    }
  }
}

/// Caches pages: a walk reads word by word, and each read from another process is a system call.
private final class Reader {
  private static let page = 4096
  private static let mostPages = 1024
  private let image: any MemoryImage
  private var pages: [UInt64: [UInt8]] = [:]

  init(_ image: any MemoryImage) { self.image = image }

  func read(_ address: UInt64, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let offset = Int(address % UInt64(Self.page))
    guard offset + buffer.count <= Self.page else { return image.read(address, into: buffer) }
    let start = address - UInt64(offset)
    if pages[start] == nil {
      if pages.count == Self.mostPages { pages.removeAll(keepingCapacity: true) }
      pages[start] = [UInt8](unsafeUninitializedCapacity: Self.page) { bytes, filled in
        filled = image.read(start, into: UnsafeMutableRawBufferPointer(bytes))
      }
    }
    let available = pages[start]!.dropFirst(offset).prefix(buffer.count)
    // A partially read page may contain the requested bytes after an unreadable gap.
    guard available.count == buffer.count else { return image.read(address, into: buffer) }
    buffer.copyBytes(from: available)
    return available.count
  }
}
