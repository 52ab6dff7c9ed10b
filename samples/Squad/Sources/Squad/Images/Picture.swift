import Foundation

/// A grey picture, as it was decoded.
package struct Picture: Sendable, Hashable {
  let width: Int
  let height: Int
  /// Row by row; 0 is black.
  let brightness: [UInt8]

  /// No side may be longer: what a server says of its pictures is not to be trusted.
  private static let longestSide = 4096

  /// Decodes a portable graymap (PGM, the binary kind); nil where it is none, or not all of one.
  package init?(pgm data: Data) {
    var header = Header(data)
    guard header.magic() == "P5", let width = header.number(), let height = header.number(),
      let brightest = header.number(), (1...Self.longestSide).contains(width),
      (1...Self.longestSide).contains(height), (1...255).contains(brightest)
    else { return nil }
    let pixels = data.dropFirst(header.position + 1).prefix(width * height)
    guard pixels.count == width * height else { return nil }
    self.width = width
    self.height = height
    brightness = pixels.map { UInt8(min(Int($0) * 255 / brightest, 255)) }
  }
}

/// Reads the words before the pixels.
private struct Header {
  private let bytes: Data
  /// How many bytes were read.
  private(set) var position = 0

  init(_ bytes: Data) { self.bytes = bytes }

  private var next: UInt8? {
    position < bytes.count ? bytes[bytes.startIndex + position] : nil
  }

  mutating func magic() -> String {
    position = min(2, bytes.count)
    return String(decoding: bytes.prefix(2), as: UTF8.self)
  }

  mutating func number() -> Int? {
    skipSpace()
    var value: Int?
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      let (tens, overflows) = (value ?? 0).multipliedReportingOverflow(by: 10)
      if overflows || tens > 1 << 20 { return nil }
      value = tens + Int(byte - UInt8(ascii: "0"))
      position += 1
    }
    return value
  }

  private mutating func skipSpace() {
    while let byte = next {
      if byte == UInt8(ascii: "#") {
        while let byte = next, byte != UInt8(ascii: "\n") {
          position += 1
          _ = byte
        }
      } else if !Character(Unicode.Scalar(byte)).isWhitespace {
        return
      }
      position += 1
    }
  }
}
