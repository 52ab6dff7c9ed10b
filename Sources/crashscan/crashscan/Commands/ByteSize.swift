/// A number of bytes, in the units that people read and type.
enum ByteSize {
  private static let suffixes: [Character: Int] = ["K": 10, "M": 20, "G": 30]

  /// The size in KiB, MiB or GiB, with one decimal place if it is not a whole number of MiB or GiB.
  static func text(_ bytes: Int) -> String {
    if bytes < 1 << 20 { return "\((bytes + 1023) >> 10) KiB" }
    let (shift, unit) = bytes < 1 << 30 ? (20, "MiB") : (30, "GiB")
    let tenths = (bytes >> (shift - 10) & 1023) * 10 >> 10
    return tenths == 0 ? "\(bytes >> shift) \(unit)" : "\(bytes >> shift).\(tenths) \(unit)"
  }

  /// Parses a number of bytes such as `4096`, `500M` or `4G`; nil if the text is not a positive size.
  static func bytes(_ text: String) -> Int? {
    let shift = text.last.flatMap { suffixes[$0] }
    guard let count = Int(shift == nil ? text : String(text.dropLast())), count > 0 else {
      return nil
    }
    let bytes = count.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    return bytes.overflow ? nil : bytes.partialValue
  }
}
