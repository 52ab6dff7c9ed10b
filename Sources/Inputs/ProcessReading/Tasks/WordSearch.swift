import CProcessMemory

/// Searches the writable memory of a process in large reads.
struct WordSearch {
  private let image: any MemoryImage
  private let ranges: [Range<UInt64>]
  /// False if a range was excluded for its size: sanitizers and reserved heaps map terabytes.
  let isWhole: Bool
  private static let largest: UInt64 = 64 << 30
  private static let chunkBytes = 1 << 20
  private static let mostAtOnce = 4096

  /// - Parameter dead: ranges with stale content.
  init(_ reader: WordReader, excluding dead: [Range<UInt64>]) {
    image = reader.image
    let writable = reader.regions.filter { $0.isWritable && !Self.isDevice($0.path) }.map(\.range)
    let searched = writable.filter { $0.upperBound - $0.lowerBound <= Self.largest }
    isWhole = searched.count == writable.count
    ranges = searched.flatMap { Self.remainder(of: $0, without: dead) }
  }

  /// True if a path is a device. Reading device memory may have side effects.
  private static func isDevice(_ path: String) -> Bool {
    path.hasPrefix("/dev/") && !path.hasPrefix("/dev/shm/") && !path.hasPrefix("/dev/zero")
      || path == "[vvar]" || path == "[vsyscall]"
  }

  private static func remainder(
    of range: Range<UInt64>, without dead: [Range<UInt64>]
  ) -> [Range<UInt64>] {
    var parts = [range]
    for gap in dead where gap.overlaps(range) {
      parts = parts.flatMap { part -> [Range<UInt64>] in
        guard gap.overlaps(part) else { return [part] }
        return [
          part.lowerBound..<max(part.lowerBound, gap.lowerBound),
          min(part.upperBound, gap.upperBound)..<part.upperBound,
        ].filter { !$0.isEmpty }
      }
    }
    return parts
  }

  /// Calls `found` with the addresses of words that equal `wanted` and are aligned to 16 bytes,
  /// like objects.
  func objects(withFirstWord wanted: UInt64, _ found: (UInt64) -> Void) {
    _ = search(found) { words, count, begin, indices in
      ms_words_equal(words, count, wanted, begin, indices, Self.mostAtOnce)
    }
  }

  /// Calls `found` with the addresses of words that point to one of `targets`. Returns false if a
  /// part of the memory could not be read.
  func references(to targets: [UInt64], _ found: (UInt64) -> Void) -> Bool {
    guard let low = targets.min(), let high = targets.max() else { return true }
    var places = 16
    while places < targets.count * 2 { places *= 2 }
    let mask = UInt64(places - 1)
    var table = [UInt64](repeating: 0, count: places)
    for target in targets {
      var place = ms_address_place(target, mask)
      while table[Int(place)] != 0 && table[Int(place)] != target { place = (place + 1) & mask }
      table[Int(place)] = target
    }
    return table.withUnsafeBufferPointer { table in
      var set = ms_address_set(
        places: table.baseAddress, mask: mask, low: low, span: high - low)
      return search(found) { words, count, begin, indices in
        ms_words_in(words, count, &set, begin, indices, Self.mostAtOnce)
      }
    }
  }

  /// Returns false if a part of the memory could not be read.
  private func search(
    _ found: (UInt64) -> Void,
    _ match: (UnsafePointer<UInt64>, Int, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UInt32>)
      -> Int
  ) -> Bool {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.chunkBytes, alignment: 4096)
    let indices = UnsafeMutablePointer<UInt32>.allocate(capacity: Self.mostAtOnce)
    defer {
      memory.deallocate()
      indices.deallocate()
    }
    let words = UnsafePointer(memory.baseAddress!.assumingMemoryBound(to: UInt64.self))
    var isComplete = isWhole
    for range in ranges.lazy.flatMap(image.occupied(in:)) {
      var address = (range.lowerBound &+ 15) & ~15
      while address < range.upperBound, address >= range.lowerBound {
        let size = Int(min(UInt64(memory.count), range.upperBound - address)) & ~7
        if size == 0 { break }
        let read = image.read(
          address, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<size]))
        let count = read / 8
        var begin = 0
        while begin < count {
          let matches = match(words, count, &begin, indices)
          for index in 0..<matches { found(address &+ UInt64(indices[index]) * 8) }
        }
        address &+= UInt64(read)
        if read == size { continue }
        isComplete = false
        // Unreadable memory is skipped page by page.
        address = (address | 4095) &+ 1
      }
    }
    return isComplete
  }
}
