/// A call tree of samples. Each line has a frame and its sample count; the indentation gives the
/// depth.
enum SampleTree {
  struct Branch {
    var depth: Int
    var count: Int
    var frame = CrashReport.Frame()
    var isKernel = false
    /// The id of the thread that blocks this thread; nil if unknown.
    var waitsFor: Int?

    private static let signs = Set("+!:|>/*#; \t".utf8)

    /// - Returns: nil if the line is no frame.
    init?(_ line: String) {
      let bytes = line.utf8
      let start = bytes.firstIndex { !Self.signs.contains($0) } ?? bytes.endIndex
      let digits = bytes[start...].prefix(while: \.isDigit)
      guard (1...9).contains(digits.count), let count = Int(line[start..<digits.endIndex]),
        digits.endIndex < bytes.endIndex, bytes[digits.endIndex] == 32
      else { return nil }
      self.count = count
      depth = bytes.distance(from: bytes.startIndex, to: start)
      isKernel = start > bytes.startIndex && bytes[bytes.index(before: start)] == UInt8(ascii: "*")
      take(line[digits.endIndex...].trimmed[...])
      guard !frame.symbol.isEmpty, frame.symbol != "???" || !frame.image.isEmpty else { return nil }
    }

    /// Parses `main  (in Kiln) + 52  [0x1004]` and `main + 52 (Kiln + 4660) [0x1004] (blocked by
    /// …)`.
    private mutating func take(_ text: Substring) {
      var text = text
      if let blocked = text.range(of: " (blocked by ") {
        let rest = text[blocked.upperBound...]
        waitsFor = rest.range(of: "thread 0x").flatMap { place in
          UInt64(hexadecimal: "0x" + rest[place.upperBound...].prefix(while: \.isHexDigit))
        }.flatMap { Int(exactly: $0) }
        text = text[..<blocked.lowerBound]
      }
      if let open = text.lastRange(of: " ["), text.trimmed.hasSuffix("]") {
        let addresses = text[open.upperBound...].split { ",]. ".contains($0) }
        frame.address = addresses.first.flatMap { UInt64(hexadecimal: $0) } ?? 0
        text = text[..<open.lowerBound]
      }
      if let image = text.lastRange(of: "(in "),
        let close = text[image.upperBound...].firstIndex(of: ")")
      {
        frame.image = String(text[image.upperBound..<close])
        let place = Self.position(text[text.index(after: close)...])
        (frame.file, frame.line) = (place?.file, place?.line)
        text = text[..<image.lowerBound]
      } else if let image = text.lastRange(of: " (") {
        // The line may be wrapped before the end of the image.
        let name = text[image.upperBound...].trimmedOf(") ")
        if let plus = name.range(of: " +") {
          frame.image = String(name[..<plus.lowerBound])
          text = text[..<image.lowerBound]
        }
      }
      frame.symbol = text.trimmed.withoutOffset.trimmed
      if frame.symbol == "???" {
        frame.symbol = frame.image.isEmpty ? "???" : "\(frame.image) + \(frame.address)"
      }
    }

    /// The source position: `Kiln.m:12` for ` + 52  Kiln.m:12`.
    private static func position(_ text: Substring) -> SourcePosition? {
      let last = text.split(separator: " ").last ?? ""
      return last.contains(".") ? SourcePosition(last) : nil
    }
  }

  /// The path from the root that follows the branch with the most samples at each level.
  static func heaviest(_ branches: [Branch]) -> [Branch] {
    var path: [Branch] = []
    var at = 0
    while at < branches.count, path.count < 1024 {
      let depth = branches[at].depth
      if let last = path.last, depth <= last.depth { break }
      var best = at
      var next = at
      while next < branches.count, branches[next].depth >= depth {
        if branches[next].depth == depth, branches[next].count > branches[best].count {
          best = next
        }
        next += 1
      }
      path.append(branches[best])
      at = best + 1
    }
    return path
  }
}
