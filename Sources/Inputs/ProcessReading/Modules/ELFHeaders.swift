import Glibc

/// The ELF headers of an executable or library, read from memory.
struct ELFHeaders {
  /// The difference between an address in the process and the address in the file.
  let loadBias: UInt64
  /// The addresses of the code.
  let text: Range<UInt64>
  /// The addresses of all loaded segments.
  let extent: Range<UInt64>
  let machine: UInt16
  let segments: [Elf64_Phdr]

  /// Linkers write about a dozen program headers.
  private static let mostSegments = 128
  private static let longestNotes: UInt64 = 65_536
  private static let longestBuildID = 64

  /// Reads the headers at `address`; nil unless they belong to a little-endian 64-bit module.
  init?(at address: UInt64, in image: some MemoryImage) {
    guard let header = image.load(Elf64_Ehdr.self, at: address), header.isReadable,
      (1...Self.mostSegments).contains(Int(header.e_phnum)),
      let bytes = image.bytes(
        at: address &+ header.e_phoff,
        count: Int(header.e_phnum) * MemoryLayout<Elf64_Phdr>.stride)
    else { return nil }
    segments = bytes.withUnsafeBytes { bytes in
      (0..<Int(header.e_phnum)).map {
        bytes.loadUnaligned(
          fromByteOffset: $0 * MemoryLayout<Elf64_Phdr>.stride, as: Elf64_Phdr.self)
      }
    }
    machine = header.e_machine
    let loaded = segments.filter { $0.p_type == UInt32(PT_LOAD) }
    guard let first = loaded.first(where: { $0.p_offset == 0 }) else { return nil }
    let bias = address &- first.p_vaddr
    loadBias = bias
    text = Self.span(of: loaded.filter { $0.p_flags & UInt32(PF_X) != 0 }, bias)
    extent = Self.span(of: loaded, bias)
    if text.isEmpty { return nil }
  }

  private static func span(of segments: [Elf64_Phdr], _ bias: UInt64) -> Range<UInt64> {
    let low = segments.map { bias &+ $0.p_vaddr }.min() ?? 0
    let high = segments.map { bias &+ $0.p_vaddr &+ $0.p_memsz }.max() ?? 0
    return low < high ? low..<high : 0..<0
  }

  /// The build id from the notes in memory; nil if the module has none.
  func buildID(in image: some MemoryImage) -> [UInt8]? {
    for segment in segments where segment.p_type == UInt32(PT_NOTE) {
      let size = Int(min(segment.p_memsz, Self.longestNotes))
      guard let notes = image.bytes(at: loadBias &+ segment.p_vaddr, count: size) else { continue }
      for note in ELFNotes(notes)
      where note.type == UInt32(NT_GNU_BUILD_ID) && note.name == "GNU" {
        let id = note.content
        if (1...Self.longestBuildID).contains(id.count) { return Array(id) }
      }
    }
    return nil
  }
}

extension Elf64_Ehdr {
  /// True for the headers of a 64-bit little-endian file.
  var isReadable: Bool {
    withUnsafeBytes(of: e_ident) { ident in
      ident.starts(with: [0x7f, 0x45, 0x4c, 0x46, UInt8(ELFCLASS64), UInt8(ELFDATA2LSB)])
    } && Int(e_phentsize) == MemoryLayout<Elf64_Phdr>.stride
  }
}
