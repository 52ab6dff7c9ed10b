import CLogFormat

/// A way to tamper with a log. All but the first few leave every sum right, so that what decodes the
/// records is reached, and not only what checks them.
enum LogMutation: CaseIterable {
  // What damage does.
  case bits, bytes, cut, growth
  // What somebody does who knows the format.
  case splice, foreignChunk, swappedChunks, repeatedChunk
  case identity, progress, anchors, chunkHeader, otherPool
  case lengths, recordNumber, recordBytes, recordText, recordType, repeatedRecord, times,
    manyRecords
}

extension LogImage {
  /// The log with a few things changed, the same for the same generator.
  ///
  /// - Parameter other: the log that pieces are taken from.
  package func mutated(with other: LogImage, _ random: inout SplitMix) -> [UInt8] {
    var image = self
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      image.apply(LogMutation.allCases.randomElement(using: &random)!, other, &random)
    }
    return image.bytes
  }

  private mutating func apply(
    _ mutation: LogMutation, _ other: LogImage, _ random: inout SplitMix
  ) {
    guard bytes.count >= 2 * Int(MS_LOG_HEADER_SIZE) else { return }
    switch mutation {
    case .bits, .bytes: damage(mutation, &random)
    case .cut: cut(&random)
    case .growth: bytes += [UInt8](repeating: 0, count: Int.random(in: 1...1 << 16, using: &random))
    case .splice: splice(other, &random)
    case .foreignChunk: takeChunk(of: other, &random)
    case .swappedChunks: swapChunks(&random)
    case .repeatedChunk: repeatChunk(&random)
    case .identity: changeIdentity(&random)
    case .progress: changeNumber(in: 1088..<2080, &random)
    case .anchors: changeAnchors(&random)
    case .chunkHeader: changeChunkHeader(&random)
    case .otherPool: changePool(&random)
    default: changeRecord(mutation, other, &random)
    }
  }

  // MARK: Damage

  private mutating func damage(_ mutation: LogMutation, _ random: inout SplitMix) {
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let at = usedPlace(&random)
      if mutation == .bits {
        bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      } else {
        let value = [0, 0xff, UInt8.random(in: .min ... .max, using: &random)]
          .randomElement(using: &random)!
        let end = min(at + Int.random(in: 1...64, using: &random), bytes.count)
        for place in at..<end { bytes[place] = value }
      }
    }
  }

  /// Somewhere in a record, mostly: the rest of a log is empty.
  private func usedPlace(_ random: inout SplitMix) -> Int {
    if let record = standing(&random), Int.random(in: 0..<8, using: &random) > 0 {
      return record.place + Int.random(in: 0..<record.size, using: &random)
    }
    return Int.random(in: 0..<bytes.count, using: &random)
  }

  private mutating func cut(_ random: inout SplitMix) {
    let place = usedPlace(&random)
    bytes.removeSubrange((Bool.random(using: &random) ? place : place / 4096 * 4096)...)
  }

  // MARK: Whole pieces

  private mutating func splice(_ other: LogImage, _ random: inout SplitMix) {
    let most = min(bytes.count, other.bytes.count)
    let place = Int.random(in: 0..<most, using: &random) & ~(Bool.random(using: &random) ? 4095 : 7)
    bytes = Array(bytes[..<place] + other.bytes[place...])
  }

  private mutating func takeChunk(of other: LogImage, _ random: inout SplitMix) {
    guard let from = other.chunks.randomElement(using: &random),
      let to = chunks.randomElement(using: &random), to.place + from.size <= bytes.count
    else { return }
    bytes.replaceSubrange(
      to.place..<to.place + from.size, with: other.bytes[from.place..<from.place + from.size])
    var header = bytes.value(ms_chunk_header.self, at: to.place)
    header.salt = bytes.value(ms_log_identity.self, at: 0).salt
    bytes.set(header, at: to.place)
    signHeader(ofChunkAt: to.place)
    for record in other.records where record.chunk == from.place {
      var moved = record
      moved.chunk = to.place
      moved.place += to.place - from.place
      sign(moved)
    }
  }

  private mutating func swapChunks(_ random: inout SplitMix) {
    guard let one = chunks.randomElement(using: &random),
      let other = chunks.randomElement(using: &random), one.size == other.size,
      max(one.place, other.place) + one.size <= bytes.count
    else { return }
    for offset in 0..<one.size { bytes.swapAt(one.place + offset, other.place + offset) }
  }

  private mutating func repeatChunk(_ random: inout SplitMix) {
    guard let from = chunks.randomElement(using: &random), from.place + from.size <= bytes.count,
      bytes.count < 4 << 20
    else { return }
    bytes.removeLast(bytes.count % Int(MS_CHUNK_SMALLEST))
    let copy = bytes[from.place..<min(from.place + from.size, bytes.count)]
    for _ in 0..<Int.random(in: 1...8, using: &random) { bytes += copy }
  }

  // MARK: Headers

  private mutating func changeNumber(in range: Range<Int>, _ random: inout SplitMix) {
    let size = [1, 2, 4, 8].randomElement(using: &random)!
    let place = Int.random(in: range, using: &random) / size * size
    guard place + size <= bytes.count else { return }
    let number = Extremes.number(&random).littleEndian
    withUnsafeBytes(of: number) { number in
      for offset in 0..<size { bytes[place + offset] = number[offset] }
    }
  }

  private mutating func changeIdentity(_ random: inout SplitMix) {
    // Beyond magic and version, without which it is no log.
    for _ in 0..<Int.random(in: 1...4, using: &random) { changeNumber(in: 12..<1040, &random) }
    signIdentity()
  }

  private mutating func changeAnchors(_ random: inout SplitMix) {
    let salt = bytes.value(ms_log_identity.self, at: 0).salt
    let size = MemoryLayout<ms_anchor>.size
    for place in [72, 104] + (0..<Int(MS_ANCHORS)).map({ 1232 + size * $0 })
    where Bool.random(using: &random) {
      var anchor = bytes.value(ms_anchor.self, at: place)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: anchor.ticks = Extremes.number(&random)
      case 1: anchor.monotonic_ns = Extremes.number(&random)
      default: anchor.wall_ns = Extremes.number(&random)
      }
      anchor.sum = ms_anchor_sum(&anchor, salt)
      bytes.set(anchor, at: place)
    }
    signIdentity()
  }

  private mutating func changeChunkHeader(_ random: inout SplitMix) {
    guard let chunk = chunks.randomElement(using: &random), chunk.place + chunk.size <= bytes.count
    else { return }
    changeNumber(in: chunk.place + 16..<chunk.place + 80, &random)
    signAll(inChunkAt: chunk.place)
  }

  private mutating func changePool(_ random: inout SplitMix) {
    guard let chunk = chunks.randomElement(using: &random), chunk.place + chunk.size <= bytes.count
    else { return }
    bytes.set(UInt32.random(in: 0..<9, using: &random), at: chunk.place + 24)
    signAll(inChunkAt: chunk.place)
  }

  /// A record that is still where it was.
  func standing(_ random: inout SplitMix) -> Record? {
    for _ in 0..<8 {
      if let record = records.randomElement(using: &random),
        record.place + record.size <= bytes.count
      {
        return record
      }
    }
    return nil
  }
}
