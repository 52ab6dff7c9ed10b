/// A piece of a heap, as the allocator gave it to the program.
struct HeapChunk {
  var content: Range<UInt64>
  var isFree: Bool
}

/// Finds words in freed memory of glibc heaps.
///
/// Freed memory keeps its content. A chunk is free if the header of the next chunk marks it as
/// free, or if it is in a thread cache: then its second word is a key that all caches of the
/// process share. Memory in doubt counts as used.
struct FreedChunks {
  private let reader: WordReader
  private let mainHeap: Range<UInt64>?
  private let cacheKey: UInt64?
  private static let arenaSize: UInt64 = 64 << 20
  /// The size of the first chunk of a heap, which is a thread cache.
  private static let cacheChunk: UInt64 = 0x290
  /// The maximum size of a heap to walk: a larger walk takes too long while the process is stopped.
  private static let largestHeap: UInt64 = 512 << 20

  init(_ reader: WordReader) {
    self.reader = reader
    mainHeap = reader.regions.first { $0.path == "[heap]" }?.range
    cacheKey = mainHeap.flatMap { Self.key(inCacheAt: $0.lowerBound &+ 16, reader) }
  }

  /// The second word of cached chunks; nil unless at least two chunks agree.
  private static func key(inCacheAt cache: UInt64, _ reader: WordReader) -> UInt64? {
    guard reader.word(at: cache &- 8).map({ $0 & ~7 }) == cacheChunk else { return nil }
    var seen: [UInt64: Int] = [:]
    for index in 0..<64 as Range<UInt64> {
      guard let chunk = reader.word(at: cache &+ 128 &+ index * 8), chunk != 0,
        let key = reader.word(at: chunk &+ 8)
      else { continue }
      seen[key, default: 0] += 1
    }
    guard let most = seen.max(by: { $0.value < $1.value }), most.value > 1, most.key != 0 else {
      return nil
    }
    return most.key
  }

  /// The chunks that contain `places`; none for memory that is not of these heaps, or whose heap is too large.
  func chunks(around places: [UInt64]) -> [UInt64: HeapChunk] {
    let byHeap = Dictionary(grouping: places) { place -> UInt64? in
      mainHeap?.contains(place) == true ? nil : place & ~(Self.arenaSize - 1)
    }
    var found: [UInt64: HeapChunk] = [:]
    for (base, places) in byHeap {
      guard let chunks = base.map(threadHeap(at:)) ?? mainChunks else { continue }
      add(places.filter(chunks.contains).sorted(), in: chunks, &found)
    }
    return found
  }

  /// The range of the main heap, beginning at its first chunk.
  private var mainChunks: Range<UInt64>? {
    mainHeap.map { heap in
      heap.lowerBound + (reader.word(at: heap.lowerBound + 8) == 0 ? 16 : 0)..<heap.upperBound
    }
  }

  /// The range of the thread heap at `base`, beginning at its first chunk.
  private func threadHeap(at base: UInt64) -> Range<UInt64>? {
    guard base <= UInt64(Int64.max) else { return nil }
    // A thread's heap begins with the address of its arena, the address of the previous heap, and
    // its size.
    guard let arena = reader.word(at: base), let size = reader.word(at: base + 16),
      size & 4095 == 0, (4096...Self.arenaSize).contains(size),
      reader.word(at: arena) != nil
    else { return nil }
    for offset in stride(from: 0x20 as UInt64, to: 0x1000, by: 16)
    where reader.word(at: base + offset + 8).map({ $0 & ~3 }) == Self.cacheChunk | 4 {
      return base + offset..<base + size
    }
    return nil
  }

  /// Walks the chunks and adds those that contain the places, unless the walk goes astray.
  private func add(
    _ places: [UInt64], in chunks: Range<UInt64>, _ all: inout [UInt64: HeapChunk]
  ) {
    guard chunks.upperBound - chunks.lowerBound <= Self.largestHeap, let last = places.last else {
      return
    }
    var found: [UInt64: HeapChunk] = [:]
    var next = places.startIndex
    var chunk = chunks.lowerBound
    while chunk < chunks.upperBound, chunk <= last {
      guard let header = reader.word(at: chunk + 8) else { return }
      let size = header & ~7
      guard size >= 32, size & 15 == 0, size <= chunks.upperBound - chunk else { return }
      let end = chunk + size
      let first = next
      // The first word of the next chunk belongs to this one.
      while next < places.endIndex, places[next] < end + 8 { next += 1 }
      if first < next {
        let isTop = end == chunks.upperBound
        let isFree =
          isTop || reader.word(at: end + 8).map { $0 & 1 == 0 } ?? false
          || cacheKey != nil && reader.word(at: chunk + 24) == cacheKey
        for place in places[first..<next] where place >= chunk + 16 {
          found[place] = HeapChunk(content: chunk + 16..<end + 8, isFree: isFree)
        }
      }
      chunk = end
    }
    all.merge(found) { first, _ in first }
  }
}
