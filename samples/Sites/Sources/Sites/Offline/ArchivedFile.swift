import Foundation

/// The content of a file of the archive: a line with checksum and lengths, the name, the bytes.
struct ArchivedFile {
  let name: String
  let bytes: Data

  private static let format = "sites-archive/1"

  init(name: String, bytes: Data) {
    self.name = name
    self.bytes = bytes
  }

  /// Reads a file's content; nil if it is not exactly what was written.
  init?(content: Data) {
    guard let end = content.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = String(decoding: content[..<end], as: UTF8.self).split(separator: " ")
    let body = content[(end + 1)...]
    guard words.count == 4, words[0] == Self.format,
      let checksum = UInt64(words[1], radix: 16), checksum == Self.hash(body),
      let nameLength = Int(words[2]), let length = Int(words[3]),
      nameLength >= 0, length >= 0, nameLength <= body.count, body.count - nameLength == length
    else { return nil }
    name = String(decoding: body.prefix(nameLength), as: UTF8.self)
    bytes = Data(body.dropFirst(nameLength))
  }

  var content: Data {
    let body = Data(name.utf8) + bytes
    let checksum = String(Self.hash(body), radix: 16)
    return Data("\(Self.format) \(checksum) \(name.utf8.count) \(bytes.count)\n".utf8) + body
  }

  /// FNV-1a: it finds damage, and is no protection against somebody who means harm.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
