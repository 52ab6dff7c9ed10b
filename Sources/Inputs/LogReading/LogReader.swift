import CLogFormat
import IncidentModel

/// Reads a breadcrumb log, which may be complete, live, truncated or damaged.
package struct LogReader {
  /// The newest version of the log format; this reader also supports all earlier versions.
  package static let formatVersion = Int(MS_LOG_VERSION)

  let bytes: LogBytes
  let identity: ms_log_identity?
  let salt: UInt64

  /// Opens the log at `path`. If the header is damaged, the log is read from its chunks.
  ///
  /// - Parameter name: The name of the log in messages; the path by default.
  package init(path: String, name: String? = nil) throws(LogReadingError) {
    try self.init(LogBytes(path: path, name: name ?? path))
  }

  /// Reads a log in memory. The caller owns the memory and must keep it valid.
  package init(contents: UnsafeRawBufferPointer, name: String) throws(LogReadingError) {
    try self.init(LogBytes(contents: contents, name: name))
  }

  private init(_ bytes: LogBytes) throws(LogReadingError) {
    self.bytes = bytes
    let path = bytes.name
    let found = try bytes.load(ms_log_identity.self, at: 0)
    if let found, found.magic == MS_LOG_MAGIC,
      !(1...UInt32(MS_LOG_VERSION)).contains(found.version),
      found.sum == identitySum(found)
    {
      throw .otherVersion(path: path, version: found.version)
    }
    let isWhole = found.map { $0.magic == MS_LOG_MAGIC && $0.sum == identitySum($0) } ?? false
    identity = isWhole ? found : nil
    if let identity {
      salt = identity.salt
    } else {
      guard let guessed = try Self.firstSalt(in: bytes) else { throw .notALog(path: path) }
      salt = guessed
    }
  }

  /// True if the file at `path` starts with the magic number of a log; false if it cannot be read.
  package static func recognises(path: String) -> Bool {
    guard let bytes = try? LogBytes(path: path, name: path),
      let magic = try? bytes.load(UInt64.self, at: 0)
    else { return false }
    return magic == MS_LOG_MAGIC
  }

  /// Reads the whole log into memory.
  package func read() throws(LogReadingError) -> Incident {
    let events = try events()
    let batch = EventBatch(queues: events.queues)
    var crumbs: [Crumb] = []
    while try events.next(into: batch) {
      for index in 0..<batch.count { crumbs.append(Crumb(batch[index])) }
    }
    return Incident(events, crumbs: crumbs, notes: notes)
  }

  /// The unreadable header, if it is damaged, and the missing end of a truncated file.
  func missing() -> [Unread] {
    var missing: [Unread] = []
    if let identity {
      if bytes.size < identity.capacity {
        missing.append(
          Unread(offset: bytes.size, length: identity.capacity - bytes.size, reason: .truncated))
      }
    } else {
      let size = min(UInt64(MS_LOG_HEADER_SIZE), bytes.size)
      missing.append(Unread(offset: 0, length: size, reason: .damaged))
    }
    if bytes.isLargerThanAnyLog {
      missing.append(
        Unread(
          offset: bytes.size, length: 0,
          reason: .other("the file is larger than any log; the rest was not read")))
    }
    return missing
  }

  // MARK: Chunks

  /// Calls `body` with each intact chunk header and its offset. Chunks start at multiples of the
  /// smallest chunk size, so they are found without the log's header.
  func forEachHeader(
    _ body: (UInt64, ms_chunk_header) -> Void
  ) throws(LogReadingError) {
    let step = UInt64(MS_CHUNK_SMALLEST)
    var offset = step
    while offset < bytes.size {
      guard let header = try wholeHeader(at: offset) else {
        offset += step
        continue
      }
      body(offset, header)
      offset += (UInt64(header.size) + step - 1) / step * step
    }
  }

  /// Reads a consistent copy of the chunk at `offset`: a chunk that was reused during the copy is
  /// read again. If the writer completed a record just after it was copied, but the copy contains a
  /// later record, the first one looks damaged; therefore the bytes before the last intact record
  /// are read a second time.
  func loadChunk(at offset: UInt64) throws(LogReadingError) -> LoadedChunk? {
    for _ in 0..<4 {
      // model: read-header
      guard let header = try wholeHeader(at: offset) else { return nil }
      let chunk = LoadedChunk(header: header, start: offset, size: chunkSize(header, at: offset))
      let got = try bytes.read(into: chunk.buffer, at: offset)  // model: copy-records
      // model: read-header-again
      guard let after = try wholeHeader(at: offset) else { return nil }
      if after.generation != header.generation { continue }
      chunk.scan(count: got)
      // model: find-gap
      guard let gap = chunk.scanned.endOfGap, bytes.isBeingWritten else { return chunk }
      let upToThere = UnsafeMutableRawBufferPointer(rebasing: chunk.buffer[..<gap])
      _ = try bytes.read(into: upToThere, at: offset)
      guard let last = try wholeHeader(at: offset) else { return nil }
      if last.generation != header.generation { continue }
      chunk.scan(count: got)
      return chunk
    }
    return nil
  }

  func chunkSize(_ header: ms_chunk_header, at offset: UInt64) -> Int {
    Int(min(UInt64(header.size), bytes.size - offset))
  }

  func wholeHeader(at offset: UInt64) throws(LogReadingError) -> ms_chunk_header? {
    guard var header = try bytes.load(ms_chunk_header.self, at: offset) else { return nil }
    guard ms_chunk_is_whole(&header), header.salt == salt,
      (UInt32(MS_CHUNK_SMALLEST)...UInt32(MS_CHUNK_LARGEST)).contains(header.size),
      header.size % 8 == 0
    else { return nil }
    return header
  }

  private static func firstSalt(in bytes: LogBytes) throws(LogReadingError) -> UInt64? {
    var offset = UInt64(MS_CHUNK_SMALLEST)
    while offset < bytes.size, var header = try bytes.load(ms_chunk_header.self, at: offset) {
      if ms_chunk_is_whole(&header) { return header.salt }
      offset += UInt64(MS_CHUNK_SMALLEST)
    }
    return nil
  }

  /// The ranges of chunks with damaged headers, whose crumbs cannot be read.
  func damagedHeaders(_ known: Set<UInt64>) -> [Unread] {
    guard let identity else { return [] }
    var damaged: [Unread] = []
    for place in places(identity) where place.chunk_size >= UInt32(MS_CHUNK_SMALLEST) {
      for index in 0..<UInt64(place.chunk_count) {
        let (start, isBeyond) = place.offset.addingReportingOverflow(
          index * UInt64(place.chunk_size))
        if isBeyond || start >= bytes.size { break }
        guard !known.contains(start),
          isDamagedHeader(at: start, of: place)
        else { continue }
        damaged.append(
          Unread(offset: start, length: UInt64(place.chunk_size), reason: .damaged))
      }
    }
    return damaged
  }

  /// True if the chunk header at `start` is damaged. A header that was written after the chunks
  /// were read is not damaged, and a header that is being written only looks damaged for a moment.
  private func isDamagedHeader(at start: UInt64, of place: ms_pool_place) -> Bool {
    for _ in 0..<4 {
      guard var header = try? bytes.load(ms_chunk_header.self, at: start),
        !ms_chunk_is_empty(&header)
      else { return false }
      if ms_chunk_is_whole(&header), header.salt == salt, header.size == place.chunk_size {
        return false
      }
    }
    return true
  }

  // MARK: Header

  func readProgress() throws(LogReadingError) -> ms_log_progress? {
    guard identity != nil else { return nil }
    let offset = (MemoryLayout<ms_log_identity>.size + 63) & ~63
    return try bytes.load(ms_log_progress.self, at: UInt64(offset))
  }

  func makeClock(_ progress: ms_log_progress?, _ headers: [ms_chunk_header]) -> LogClock {
    var anchors = headers.map(\.anchor)
    if let identity { anchors += [identity.before_open, identity.opened] }
    if let progress {
      anchors += withUnsafeBytes(of: progress.anchors) { Array($0.bindMemory(to: ms_anchor.self)) }
    }
    let whole = anchors.filter { anchor in
      var anchor = anchor
      return anchor.ticks != 0 && anchor.sum == ms_anchor_sum(&anchor, salt)
    }
    let newest = headers.filter { $0.tick_length > 0 }.max { $0.begun < $1.begun }
    return LogClock(
      anchors: whole, clock: identity?.clock ?? MS_CLOCK_COUNTER.rawValue,
      tickLength: newest?.tick_length)
  }

  func process(_ clock: LogClock) -> Incident.Process? {
    guard let identity else { return nil }
    let deployment = deployment
    return Incident.Process(
      id: Int(identity.process), executable: text(of: identity.executable),
      openedWall: identity.opened.wall_ns, openedMonotonic: identity.opened.monotonic_ns,
      release: deployment.flatMap { said($0.release) },
      environment: deployment.flatMap { said($0.environment) })
  }

  /// The release and environment that the host set; nil in a log of an older version, or if the
  /// bytes are damaged.
  private var deployment: ms_log_deployment? {
    let offset = UInt64(MS_DEPLOYMENT_OFFSET)
    guard var found = try? bytes.load(ms_log_deployment.self, at: offset),
      found.sum == ms_deployment_sum(&found, salt)
    else { return nil }
    return found
  }

  private func said<Characters>(_ characters: Characters) -> String? {
    let words = text(of: characters)
    return words.isEmpty ? nil : words
  }

  func losses(_ progress: ms_log_progress?) -> Incident.Losses {
    guard let progress else { return Incident.Losses() }
    return Incident.Losses(
      recycled: byKind(progress.recycled), dropped: byKind(progress.dropped))
  }

  /// The id of the recording: the log's random salt.
  package var recording: String { String(salt, radix: 16) }

  private func byKind<Counts>(_ counts: Counts) -> [CrumbKind: UInt64] {
    var kinds: [CrumbKind: UInt64] = [:]
    withUnsafeBytes(of: counts) { bytes in
      for (index, count) in bytes.bindMemory(to: UInt64.self).enumerated() where count > 0 {
        if let kind = CrumbKind(rawValue: UInt8(index)) { kinds[kind] = count }
      }
    }
    return kinds
  }

  /// The recorder's notes about itself.
  package var notes: [String] {
    guard let identity else { return [] }
    let reasons = withUnsafeBytes(of: identity.reasons) { bytes in
      bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let engine = identity.walk_engine == 1 ? "unwind rules" : "libunwind"
    let level = identity.queue_level == 2 ? "exactly" : "by the target chain"
    return [
      "stacks walked by \(engine)" + (reasons.first.map { $0.isEmpty ? "" : ": \($0)" } ?? ""),
      "queues identified \(level)"
        + (reasons.dropFirst().first.map { $0.isEmpty ? "" : ": \($0)" } ?? ""),
    ] + facts
  }

  /// The table of facts about the run, limited to the facts that were determined; empty in a log
  /// that is older than the table.
  private var facts: [String] {
    let known = self.known.map { String(cString: ms_fact_name($0)) }
    return (known.isEmpty ? [] : ["known: \(known.joined(separator: ", "))"])
      + unknown.map {
        "not known: \(String(cString: ms_fact_name($0))): \(String(cString: ms_fact_without($0)))"
      }
  }

  /// The features that were off in the run, because a fact was not known. A log of `crashscan run`
  /// lacks most facts, and the version of the runtime among them, because it looks for few.
  var missingFeatures: [String] {
    guard determined({ _ in true }).contains(MS_FACT_RUNTIME_VERSION.rawValue) else { return [] }
    return unknown.reduce(into: []) { features, bit in
      let feature = String(cString: ms_fact_without(bit))
      if !features.contains(feature) { features.append(feature) }
    }
  }

  private var known: [UInt32] { determined { $0 == 1 } }
  private var unknown: [UInt32] { determined { $0 == 0 } }

  private func determined(_ isOne: (UInt64) -> Bool) -> [UInt32] {
    let word = (try? bytes.load(UInt64.self, at: UInt64(MS_FACTS_OFFSET))) ?? 0
    return (0..<32).filter {
      word >> ($0 + 32) & 1 == 1 && ms_fact_name($0) != nil && isOne(word >> $0 & 1)
    }
  }
}

private func identitySum(_ identity: ms_log_identity) -> UInt64 {
  var identity = identity
  return ms_identity_sum(&identity)
}

func places(_ identity: ms_log_identity) -> [ms_pool_place] {
  withUnsafeBytes(of: identity.pools) { Array($0.bindMemory(to: ms_pool_place.self)) }
}

private func text<Characters>(of characters: Characters) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
