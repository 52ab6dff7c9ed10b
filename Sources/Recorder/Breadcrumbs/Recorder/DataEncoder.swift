internal import CRecorder

/// Encodes keys and values into the data buffer of a bracket.
struct DataEncoder {
  /// The buffer; if nil, all values are ignored.
  let bytes: UnsafeMutablePointer<UInt8>?
  var size: UInt32 = 0
  var count: UInt8 = 0
  var isCut = false

  init(bytes: UnsafeMutablePointer<UInt8>? = nil) { self.bytes = bytes }

  /// Returns the maximum number of bytes that a key and its value need.
  static func room(_ key: String, _ value: CrumbValue) -> Int {
    var size = MemoryLayout<Int64>.size
    if case .string(let text) = value { size = text.utf8.count }
    return MemoryLayout<ms_data_head>.size + key.utf8.count + size
  }

  /// Adds the encoded data to a crumb.
  func finish(_ crumb: inout ms_crumb) {
    crumb.data = UnsafePointer(bytes)
    crumb.data_size = size
    crumb.data_count = count
    crumb.flags |= flags
  }

  /// Adds the values of the current context.
  @inline(__always)
  mutating func addContext() {
    guard ms_crumb_context_key() != nil else { return }
    if let context = CrumbContext.encodedHere { add(context) }
    if let more = CrumbSource.here { withExtendedLifetime(more) { add(more.encoded) } }
  }

  mutating func add(_ context: ms_crumb_context) {
    guard let bytes else { return }
    guard size + context.size <= UInt32(MS_DATA_LIMIT), UInt32(count) + context.count <= UInt8.max
    else {
      isCut = true
      return
    }
    (bytes + Int(size)).update(from: context.bytes, count: Int(context.size))
    size += context.size
    count += UInt8(context.count)
  }

  var shape: ms_data_shape { ms_data_shape(size: size, count: count) }
  var flags: UInt8 { isCut ? UInt8(MS_CRUMB_DATA_CUT.rawValue) : 0 }

  @inline(__always)
  mutating func add(_ key: String, _ value: CrumbValue) {
    guard let bytes else { return }
    let before = size
    withBytes(of: key) { name, length in
      switch value {
      case .string(let text):
        size = withBytes(of: text) { value, valueSize in
          ms_data_string(bytes, before, name, length, value, valueSize, &isCut)
        }
      case .integer(let number): size = ms_data_integer(bytes, before, name, length, number, &isCut)
      case .double(let number): size = ms_data_double(bytes, before, name, length, number, &isCut)
      case .boolean(let truth): size = ms_data_boolean(bytes, before, name, length, truth, &isCut)
      }
    }
    counted(since: before)
  }

  mutating func add(_ key: String, text: UnsafeRawBufferPointer) {
    guard let bytes else { return }
    let before = size
    size = withBytes(of: key) { name, length in
      ms_data_string(bytes, before, name, length, text.baseAddress, text.count, &isCut)
    }
    counted(since: before)
  }

  @inline(__always)
  private mutating func counted(since before: UInt32) {
    guard size > before else { return }
    if count == UInt8.max {
      size = before
      isCut = true
    } else {
      count += 1
    }
  }
}

/// Calls `body` with the text's UTF-8 bytes, without a copy. Only bridged strings, which do not
/// exist on Linux, are copied.
@inline(__always)
func withBytes<Result>(of text: String, _ body: (UnsafeRawPointer?, Int) -> Result) -> Result {
  let inPlace = text.utf8.withContiguousStorageIfAvailable {
    body(UnsafeRawPointer($0.baseAddress), $0.count)
  }
  if let inPlace { return inPlace }
  var copy = text
  return copy.withUTF8 { body(UnsafeRawPointer($0.baseAddress), $0.count) }
}
