import CLogFormat

// What can be done to records; each is signed again, so that it is believed.
extension LogImage {
  private static let headSize = MemoryLayout<ms_record_head>.size

  mutating func changeRecord(
    _ mutation: LogMutation, _ other: LogImage, _ random: inout SplitMix
  ) {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      guard let record = standing(&random) else { return }
      switch mutation {
      case .lengths: changeLengths(record, &random)
      case .recordNumber: changeNumber(record, &random)
      case .recordBytes: changeBytes(record, &random)
      case .recordText: changeText(record, &random)
      case .recordType: changeType(record, &random)
      case .repeatedRecord: copy(other.standing(&random), of: other, to: record)
      case .times: changeTime(record, &random)
      default: return repeatRecord(record)
      }
      sign(record)
    }
  }

  /// The fields by which a record says how much it holds, and where what it refers to stands.
  private mutating func changeLengths(_ record: Record, _ random: inout SplitMix) {
    let fields: [(offset: Int, size: Int)] =
      switch UInt32(record.type) {
      case MS_RECORD_QUEUE.rawValue: [(24, 4)]
      case MS_RECORD_STACK.rawValue: [(16, 2), (18, 1)]
      case MS_RECORD_CRUMB.rawValue:
        [(28, 2), (30, 2), (32, 2), (34, 2), (36, 1), (37, 1), (39, 1)]
      case MS_RECORD_TEMPLATE.rawValue:
        [(16, 2), (18, 2), (20, 1), (21, 1), (22, 1), (24, 1), (25, 1)]
      case MS_RECORD_BRIEF.rawValue:
        [(28, 2), (30, 2), (32, 2), (34, 2), (36, 1), (37, 1), (38, 1)]
      case MS_RECORD_MODULE.rawValue: [(16, 8), (24, 8), (48, 2), (50, 2)]
      case MS_RECORD_CRASH_THREAD.rawValue: [(48, 2), (50, 1), (51, 1), (54, 1)]
      case MS_RECORD_CRASH_REGISTERS.rawValue: [(20, 4)]
      case MS_RECORD_CRASH_BYTES.rawValue: [(24, 4)]
      case MS_RECORD_CRASH_TASK_NAME.rawValue: [(24, 2)]
      default: [(16, 2), (18, 2)]
      }
    let field = fields.randomElement(using: &random)!
    set(Extremes.number(&random), size: field.size, at: field.offset, of: record)
  }

  private mutating func changeNumber(_ record: Record, _ random: inout SplitMix) {
    guard record.size > Self.headSize else { return }
    let size = [1, 2, 4, 8].randomElement(using: &random)!
    let offset = Int.random(in: Self.headSize..<record.size, using: &random) / size * size
    set(Extremes.number(&random), size: size, at: offset, of: record)
  }

  private mutating func set(_ number: UInt64, size: Int, at offset: Int, of record: Record) {
    guard offset + size <= record.size else { return }
    withUnsafeBytes(of: number.littleEndian) { number in
      for index in 0..<size { bytes[record.place + offset + index] = number[index] }
    }
  }

  private mutating func changeBytes(_ record: Record, _ random: inout SplitMix) {
    guard record.size > Self.headSize else { return }
    for _ in 0..<Int.random(in: 1...16, using: &random) {
      let offset = Int.random(in: Self.headSize..<record.size, using: &random)
      bytes[record.place + offset] = UInt8.random(in: .min ... .max, using: &random)
    }
  }

  private mutating func changeText(_ record: Record, _ random: inout SplitMix) {
    let fixed = UInt32(record.type) == MS_RECORD_CRUMB.rawValue ? 40 : 24
    guard record.size > fixed else { return }
    let start = record.place + Int.random(in: fixed..<record.size, using: &random)
    let text = Extremes.bytes(&random).prefix(record.place + record.size - start)
    bytes.replaceSubrange(start..<start + text.count, with: text)
  }

  /// Another type or kind, or of a crumb another level and other flags.
  private mutating func changeType(_ record: Record, _ random: inout SplitMix) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let types: [UInt8] = [
        0, 1, 2, 3, 4, 5, 6, 7, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 255,
      ]
      bytes[record.place + 6] = types.randomElement(using: &random)!
    case 1: bytes[record.place + 7] = UInt8.random(in: 0...9, using: &random)
    case 2: set(Extremes.number(&random), size: 4, at: 8, of: record)
    default:
      set(UInt64.random(in: 0...7, using: &random), size: 1, at: 38, of: record)
      set(UInt64.random(in: 0...63, using: &random), size: 1, at: 39, of: record)
    }
  }

  private mutating func changeTime(_ record: Record, _ random: inout SplitMix) {
    guard record.size >= 24 else { return }
    let now = bytes.value(UInt64.self, at: record.place + 16)
    let step = UInt64(1) << UInt64.random(in: 0..<64, using: &random)
    let times = [now &+ step, now &- step, Extremes.number(&random)]
    set(times.randomElement(using: &random)!, size: 8, at: 16, of: record)
  }

  /// Puts what another record says in the place of this one, as far as there is room.
  private mutating func copy(_ source: Record?, of other: LogImage, to record: Record) {
    guard let source, source.size <= record.size, source.place + source.size <= other.bytes.count
    else { return }
    let words = bytes.value(UInt16.self, at: record.place + 4)
    bytes.replaceSubrange(
      record.place..<record.place + source.size,
      with: other.bytes[source.place..<source.place + source.size])
    bytes.set(words, at: record.place + 4)
  }

  /// Fills the rest of a chunk with one record, again and again.
  private mutating func repeatRecord(_ record: Record) {
    let header = bytes.value(ms_chunk_header.self, at: record.chunk)
    let end = record.chunk + min(Int(header.size), bytes.count - record.chunk)
    let last = records.last { $0.chunk == record.chunk }.map { $0.place + $0.size }
    guard var place = last, end <= bytes.count else { return }
    let copy = bytes[record.place..<record.place + record.size]
    while place + record.size <= end {
      bytes.replaceSubrange(place..<place + record.size, with: copy)
      sign(Record(place: place, chunk: record.chunk, size: record.size, type: record.type))
      place += record.size
    }
  }
}
