import Glibc
import IncidentModel

/// The headers of a core file: its machine and the offsets of its parts.
struct CoreHeaders {
  let machine: Registers.Machine
  let segments: [Elf64_Phdr]

  /// The kernel writes one segment for each mapping; `vm.max_map_count` bounds the number of
  /// mappings.
  private static let mostSegments = 1 << 20

  init(of file: CoreBytes) throws(ProcessFailure) {
    let size = UInt64(MemoryLayout<Elf64_Ehdr>.size)
    let start = try file.bytes(0, min(size, file.size), of: "the ELF header")
    guard start.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      throw ProcessFailure("\(file.name): not a core dump (expected 7f 45 4c 46, ELF, at offset 0)")
    }
    let bytes = try file.bytes(0, size, of: "the ELF header")
    guard bytes[4] == UInt8(ELFCLASS64), bytes[5] == UInt8(ELFDATA2LSB) else {
      throw ProcessFailure(
        "\(file.name): ELF class \(bytes[4]) and byte order \(bytes[5]) at offset 4: only 64-bit little-endian cores can be read"
      )
    }
    let header = bytes.withUnsafeBytes { $0.loadUnaligned(as: Elf64_Ehdr.self) }
    guard header.e_type == UInt16(ET_CORE) else {
      throw ProcessFailure(
        """
        \(file.name): an ELF file of type \(header.e_type) at offset 16, not a core dump (type 4); \
        pass a program with --executable
        """)
    }
    guard let machine = Registers.Machine(elf: header.e_machine) else {
      throw ProcessFailure(
        "\(file.name): a core of machine \(header.e_machine) at offset 18: only x86_64 (62) and aarch64 (183) can be read"
      )
    }
    self.machine = machine
    segments = try Self.segments(header, of: file)
  }

  private static func segments(
    _ header: Elf64_Ehdr, of file: CoreBytes
  ) throws(ProcessFailure) -> [Elf64_Phdr] {
    let stride = MemoryLayout<Elf64_Phdr>.size
    guard Int(header.e_phentsize) == stride else {
      throw ProcessFailure(
        "\(file.name): program headers of \(header.e_phentsize) bytes at offset 54: expected \(stride)"
      )
    }
    var count = Int(header.e_phnum)
    // PN_XNUM: the number exceeds the field's range and is stored in the first section header.
    if count == 0xffff {
      let section = try file.bytes(header.e_shoff, 64, of: "the section header")
      count = Int(section.load(UInt32.self, at: 44) ?? 0)
    }
    guard (1...mostSegments).contains(count) else {
      throw ProcessFailure(
        "\(file.name): not a usable core file: \(count) program headers at offset 56 (expected 1 to \(mostSegments))"
      )
    }
    let bytes = try file.bytes(header.e_phoff, UInt64(count * stride), of: "the program headers")
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * stride, as: Elf64_Phdr.self) }
    }
  }
}
