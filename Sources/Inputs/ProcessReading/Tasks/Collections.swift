/// Distinguishes elements of Swift's arrays, dictionaries and sets from copies in their spare memory, which removed elements left.
struct Collections {
  private let reader: WordReader
  private let names: TypeNames

  /// Offsets in a collection's storage object.
  private enum Layout {
    static let count: UInt64 = 16
    static let capacity: UInt64 = 24
    static let elements: UInt64 = 32
    static let scale: UInt64 = 32
    static let keys: UInt64 = 48
    static let values: UInt64 = 56
    static let dictionaryBits: UInt64 = 64
    static let setBits: UInt64 = 56
  }

  private static let highestScale: UInt64 = 32

  init(_ reader: WordReader) {
    self.reader = reader
    names = TypeNames(reader)
  }

  /// A word in the storage of a collection.
  struct Element {
    /// The storage object.
    var storage: UInt64
    /// Whether no element is there any more.
    var isSpare: Bool
    var isArray: Bool
  }

  /// The collection whose storage is a chunk of the heap that contains `place`; nil if the chunk is something else.
  func element(at place: UInt64, in chunk: HeapChunk) -> Element? {
    let (object, end) = (chunk.content.lowerBound, chunk.content.upperBound)
    guard let type = reader.word(at: object), let count = reader.word(at: object + Layout.count)
    else { return nil }
    switch names.name(ofClassAt: type) {
    case "_ContiguousArrayStorage":
      guard let capacity = reader.word(at: object + Layout.capacity).map({ $0 >> 1 }),
        capacity > 0, count <= capacity, place >= object + Layout.elements
      else { return nil }
      // No element is larger than this.
      let stride = (end - object - Layout.elements) / capacity
      return Element(
        storage: object, isSpare: place - object - Layout.elements >= count &* stride, isArray: true
      )
    case "_DictionaryStorage":
      return bucket(
        at: place, object, end, count, Layout.dictionaryBits, [Layout.keys, Layout.values])
    case "_SetStorage": return bucket(at: place, object, end, count, Layout.setBits, [Layout.keys])
    default: return nil
    }
  }

  /// A word in the storage of a hash table: its parts are arrays with a place for each bucket, and a bit says which are used.
  private func bucket(
    at place: UInt64, _ object: UInt64, _ end: UInt64, _ count: UInt64, _ bits: UInt64,
    _ parts: [UInt64]
  ) -> Element? {
    guard let scale = reader.word(at: object + Layout.scale).map({ $0 & 0xff }),
      scale <= Self.highestScale
    else { return nil }
    let buckets = UInt64(1) << scale
    let starts = parts.compactMap { reader.word(at: object + $0) }
    let ends = starts.dropFirst() + [end]
    guard starts.count == parts.count, count <= buckets,
      let part = zip(starts, ends).first(where: { $0 <= place && place < $1 && $1 <= end })
    else { return nil }
    var element = Element(storage: object, isSpare: count == 0, isArray: false)
    // The end is rounded up by less than 32 bytes, so that the size of an element is exact for four buckets and more.
    let stride = (part.1 - part.0) / buckets & ~7
    if count > 0, buckets >= 4, stride > 0 {
      let index = (place - part.0) / stride
      let word = reader.word(at: object + bits + index / 64 * 8)
      element.isSpare = index < buckets && word.map { $0 >> (index % 64) & 1 == 0 } ?? false
    }
    return element
  }

  // MARK: Streams

  /// Whether `place` is where the storage of a stream keeps the array of those who wait for its next element.
  func stream(withWaitersAt place: UInt64) -> UInt64? {
    let storage = place &- 16
    return name(ofObjectAt: storage).hasSuffix("Stream._Storage") ? storage : nil
  }

  /// Whether the word at `place`, which refers to a stream's storage, is how the stream itself keeps it: it takes elements out.
  func isStreamOwn(_ place: UInt64) -> Bool {
    [16, 32].contains { name(ofObjectAt: place &- $0).hasSuffix("Stream._Context") }
  }

  private func name(ofObjectAt object: UInt64) -> String {
    guard object & 15 == 0, let type = reader.word(at: object), type > 4096, type & 7 == 0 else {
      return ""
    }
    return names.name(ofClassAt: type)
  }
}
