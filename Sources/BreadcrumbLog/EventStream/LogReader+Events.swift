import CBreadcrumbLog
import IncidentModel

extension LogReader {
  /// The log's events as a stream, in memory that does not grow with the log.
  package func events() throws(LogReadingError) -> LogEvents {
    let progress = try readProgress()
    let ending = try judge(progress)
    var headers: [(start: UInt64, header: ms_chunk_header)] = []
    try forEachHeader { headers.append(($0, $1)) }
    let clock = makeClock(progress, headers.map(\.header))
    var modules: [SeenModule] = []
    var places: [ChunkPlace] = []
    var crash = CrashDecoder()
    for (start, header) in headers {
      let place = ChunkPlace(
        start: start, generation: header.generation, begun: header.begun)
      switch header.pool {
      case UInt32(MS_POOL_MODULES.rawValue): modules += try self.modules(in: place, clock)
      case UInt32(MS_POOL_CRASH.rawValue): try add(place, to: &crash, clock)
      default: places.append(place)
      }
    }
    let facts = LogFacts(
      process: process(clock), recording: recording, ending: ending.ending,
      losses: losses(progress),
      crash: crash.last(ending.crash))
    return LogEvents(
      reader: self, clock: clock, facts: facts, modules: modules.sorted { $0.since < $1.since },
      chunks: places, unread: missing() + damagedHeaders(Set(headers.map(\.start))))
  }

  /// The chunk at a place, unless it was begun anew since.
  func load(_ place: ChunkPlace) throws(LogReadingError) -> LoadedChunk? {
    guard let chunk = try loadChunk(at: place.start) else { return nil }
    return chunk.header.generation == place.generation ? chunk : nil
  }

  private func add(
    _ place: ChunkPlace, to crash: inout CrashDecoder, _ clock: LogClock
  ) throws(LogReadingError) {
    guard let chunk = try load(place) else { return }
    let decoder = RecordDecoder(bytes: chunk.bytes, clock: clock)
    for record in chunk.scanned.records where CrashDecoder.decodes(record.type) {
      _ = crash.add(decoder.whole(record), type: record.type, clock: clock)
    }
  }

  private func modules(
    in place: ChunkPlace, _ clock: LogClock
  ) throws(LogReadingError) -> [SeenModule] {
    guard let chunk = try load(place) else { return [] }
    let decoder = RecordDecoder(bytes: chunk.bytes, clock: clock)
    return chunk.scanned.records.compactMap { record in
      record.type == MS_RECORD_MODULE.rawValue ? decoder.module(record) : nil
    }
  }
}
