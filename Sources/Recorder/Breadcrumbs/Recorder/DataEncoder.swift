internal import CRecorder

/// Encodes keys and values into the data of a crumb.
struct DataEncoder {
  /// The data; if nil, all values are ignored.
  let data: UnsafeMutablePointer<ms_data>?

  /// Encodes into a buffer with room for all keys and values and `MS_DATA_SLACK` bytes more.
  static func encode(
    into bytes: UnsafeMutablePointer<UInt8>, _ add: (DataEncoder) -> Void
  ) -> ms_data {
    var data = ms_data()
    data.bytes = bytes
    withUnsafeMutablePointer(to: &data) { add(DataEncoder(data: $0)) }
    return data
  }

  /// Returns the maximum number of bytes that a key and its value need.
  static func room(_ key: String, _ value: CrumbValue) -> Int {
    var size = MemoryLayout<Int64>.size
    if case .string(let text) = value { size = text.utf8.count }
    return MemoryLayout<ms_data_head>.size + key.utf8.count + size
  }

  /// Adds the values of the current context.
  @inline(__always)
  func addContext() {
    guard ms_crumb_context_key() != nil else { return }
    if let context = CrumbContext.encodedHere { add(context) }
    if let more = CrumbSource.here { withExtendedLifetime(more) { add(more.encoded) } }
  }

  func add(_ context: ms_crumb_context) {
    if let data { withUnsafePointer(to: context) { ms_data_put_context(data, $0) } }
  }

  var flags: UInt8 { data?.pointee.is_cut == true ? UInt8(MS_CRUMB_DATA_CUT.rawValue) : 0 }

  @inline(__always)
  func add(_ key: String, _ value: CrumbValue) {
    guard let data else { return }
    withBytes(of: key) { name, length in
      switch value {
      case .string(let text):
        withBytes(of: text) { value, size in ms_data_string(data, name, length, value, size) }
      case .integer(let number): ms_data_integer(data, name, length, number)
      case .double(let number): ms_data_double(data, name, length, number)
      case .boolean(let truth): ms_data_boolean(data, name, length, truth)
      }
    }
  }

  /// Adds a value that is one of few: the log stores it once for many crumbs.
  func add(_ key: String, fixed value: CrumbValue) {
    guard let data else { return }
    let start = data.pointee.size
    add(key, value)
    ms_data_fix(data, start)
  }

  func add(_ key: String, text: UnsafeRawBufferPointer) {
    guard let data else { return }
    withBytes(of: key) { name, length in
      ms_data_string(data, name, length, text.baseAddress, text.count)
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
