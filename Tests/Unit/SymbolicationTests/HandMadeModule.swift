import Foundation
import IncidentModel

/// A shared object made by hand, with debug information that no compiler would write.
struct HandMadeModule {
  static let text: Range<UInt64> = 0x1000..<0x9000
  private static let buildID: [UInt8] = Array(1...20)

  var info: [UInt8] = []
  var abbreviations: [UInt8] = []
  var ranges: [UInt8] = []
  var lines: [UInt8] = []

  /// Appends a DWARF 4 compile unit with these entries, in the abbreviations from an offset on.
  mutating func addUnit(_ parts: [UInt8]..., abbreviations: Int = 0) {
    let entries = parts.flatMap { $0 }
    info += Self.bytes(UInt32(7 + entries.count)) + Self.bytes(UInt16(4))
    info += Self.bytes(UInt32(abbreviations)) + [8] + entries
  }

  /// Appends an abbreviation: its code, tag, whether it has children, pairs of attribute and form.
  mutating func addAbbreviation(
    _ code: UInt64, tag: UInt8, hasChildren: Bool, _ attributes: [(UInt8, UInt8)] = []
  ) {
    abbreviations += Self.uleb(code) + [tag, hasChildren ? 1 : 0]
    abbreviations += attributes.flatMap { [$0.0, $0.1] } + [0, 0]
  }

  /// Makes the line table: version 4, one file, an opcode base of 13, a line base of -5.
  mutating func setLines(_ program: [UInt8], lineRange: UInt8 = 14) {
    let header: [UInt8] =
      [1, 1, 1, 0xfb, lineRange, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0]
      + Array("made.c\0".utf8) + [0, 0, 0, 0]
    lines = Self.bytes(UInt32(6 + header.count + program.count)) + Self.bytes(UInt16(4))
    lines += Self.bytes(UInt32(header.count)) + header + program
  }

  /// A row at an address: `DW_LNE_set_address`, `DW_LNS_advance_line`, `DW_LNS_copy`.
  static func row(_ address: UInt64, advancing lines: UInt8) -> [UInt8] {
    [0, 9, 2] + bytes(address) + [3, lines, 1]
  }

  /// The end of a sequence of rows, at an address.
  static func end(at address: UInt64) -> [UInt8] {
    [0, 9, 2] + bytes(address) + [0, 1, 1]
  }

  static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  static func uleb(_ value: UInt64) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + uleb(value >> 7)
  }

  /// Writes the file, and says how a log would record it.
  func write(to path: String) throws -> Module {
    let note = Self.bytes(UInt32(4)) + Self.bytes(UInt32(20)) + Self.bytes(UInt32(3))
    let sections: [(name: String, type: UInt32, content: [UInt8])] = [
      (".note.gnu.build-id", 7, note + Array("GNU\0".utf8) + Self.buildID),
      (".debug_info", 1, info), (".debug_abbrev", 1, abbreviations + [0]),
      (".debug_ranges", 1, ranges), (".debug_line", 1, lines),
    ]
    var names: [UInt8] = [0]
    var body: [UInt8] = []
    var headers = [UInt8](repeating: 0, count: 64)
    func add(_ name: String, _ type: UInt32, flags: UInt64, at: UInt64, _ size: Int) {
      headers += Self.bytes(UInt32(names.count)) + Self.bytes(type) + Self.bytes(flags)
      headers += Self.bytes(at) + Self.bytes(UInt64(64 + body.count)) + Self.bytes(UInt64(size))
      headers += Self.bytes(UInt64(0)) + Self.bytes(UInt64(4)) + Self.bytes(UInt64(0))
      names += Array(name.utf8) + [0]
    }
    add(".text", 8, flags: 6, at: Self.text.lowerBound, Self.text.count)
    for section in sections {
      add(section.name, section.type, flags: 0, at: 0, section.content.count)
      body += section.content + [UInt8](repeating: 0, count: -section.content.count & 7)
    }
    add(".shstrtab", 3, flags: 0, at: 0, names.count + 10)
    body += names + [UInt8](repeating: 0, count: -names.count & 7)
    var header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    header += Self.bytes(UInt16(3)) + Self.bytes(UInt16(62)) + Self.bytes(UInt32(1))
    header += Self.bytes(UInt64(0)) + Self.bytes(UInt64(0)) + Self.bytes(UInt64(64 + body.count))
    header += Self.bytes(UInt32(0)) + Self.bytes(UInt16(64)) + Self.bytes(UInt16(0))
    header += Self.bytes(UInt16(0)) + Self.bytes(UInt16(64)) + Self.bytes(UInt16(8))
    header += Self.bytes(UInt16(7))
    try Data(header + body + headers).write(to: URL(fileURLWithPath: path))
    return Module(path: path, buildID: Self.buildID, loadBias: 0, text: Self.text)
  }
}
