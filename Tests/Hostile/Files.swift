import Glibc

/// Files as a whole.
enum Files {
  static func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { fail("\(path) cannot be read") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, file)
    }
  }

  static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w"), fwrite(bytes, 1, bytes.count, file) == bytes.count,
      fclose(file) == 0
    else { fail("\(path) cannot be written") }
  }

  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The first character that would steer a terminal in a file that is meant to have none.
  static func steering(in path: String) -> String? {
    let bytes = read(path)
    for place in bytes.indices {
      let byte = bytes[place]
      if byte >= 0x20 && byte < 0x7f || byte == 0x0a { continue }
      let next = place + 2 < bytes.count ? (bytes[place + 1], bytes[place + 2]) : (0, 0)
      // Controls of C0 and C1, and the marks that turn the direction of writing.
      let isSteering =
        byte < 0x20 || byte == 0x7f || byte == 0xc2 && next.0 < 0xa0
        || byte == 0xe2 && next.0 == 0x80 && (0xaa...0xae).contains(next.1)
      if isSteering { return "byte \(byte) at \(place)" }
    }
    return nil
  }
}
