import CLogFormat
import IncidentModel

extension LogReader {
  /// Returns the log's events as a stream. The memory used does not grow with the log.
  package func events() throws(LogReadingError) -> LogEvents {
    let progress = try readProgress()
    // The ending is read before the crumbs: if the process has ended by then, its crumbs are
    // complete.
    let ending = try judge(progress)
    var headers: [(start: UInt64, header: ms_chunk_header)] = []
    try forEachHeader { headers.append(($0, $1)) }
    let clock = makeClock(progress, headers.map(\.header))
    var aside = RecordsAside(clock)
    var places: [ChunkPlace] = []
    for (start, header) in headers {
      let place = ChunkPlace(
        start: start, generation: header.generation, begun: header.begun)
      switch header.pool {
      case UInt32(MS_POOL_MODULES.rawValue), UInt32(MS_POOL_CRASH.rawValue):
        if let chunk = try load(place) { aside.add(chunk) }
      default: places.append(place)
      }
    }
    var signs = try signs(clock)
    if ending.ending.isWordless { signs.memoryKills = try memoryKills() }
    let facts = LogFacts(
      process: process(clock), recording: recording, ending: ending.ending,
      losses: losses(progress), crash: aside.crash.last(ending.crash), signs: signs)
    return LogEvents(
      reader: self, clock: clock, facts: facts,
      modules: aside.modules.map(withKeptCopy).sorted { $0.since < $1.since }, chunks: places,
      unread: missing() + damagedHeaders(Set(headers.map(\.start))) + aside.unread)
  }

  /// The chunk at a place; nil if the chunk was reused meanwhile.
  func load(_ place: ChunkPlace) throws(LogReadingError) -> LoadedChunk? {
    guard let chunk = try loadChunk(at: place.start) else { return nil }
    return chunk.header.generation == place.generation ? chunk : nil
  }
}

/// The records other than crumbs.
private struct RecordsAside {
  private let clock: LogClock
  private(set) var modules: [SeenModule] = []
  private(set) var crash = CrashDecoder()
  private(set) var unread: [Unread] = []

  init(_ clock: LogClock) { self.clock = clock }

  mutating func add(_ chunk: LoadedChunk) {
    let decoder = RecordDecoder(bytes: chunk.bytes, clock: clock)
    unread += chunk.scanned.unread
    for record in chunk.scanned.records where !add(record, decoder) {
      unread.append(chunk.refusal(of: record))
    }
  }

  private mutating func add(_ record: WholeRecord, _ decoder: RecordDecoder) -> Bool {
    if CrashDecoder.decodes(record.type) {
      return crash.add(decoder.whole(record), type: record.type, clock: clock)
    }
    guard record.type == MS_RECORD_MODULE.rawValue, let module = decoder.module(record) else {
      return false
    }
    modules.append(module)
    return true
  }
}
