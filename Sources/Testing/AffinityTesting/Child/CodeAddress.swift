internal import CRecorder

/// The address of a function in this program, which a child process of the program can resolve in
/// its own memory.
struct CodeAddress: Codable, Sendable {
  private let module: String
  /// The identity of the module's file.
  private let identity: [UInt8]
  /// The offset of the function in the module.
  private let offset: UInt64
  /// The first 8 bytes of the function, which verify the address.
  private let beginning: UInt64

  /// Creates the address of a C function; nil if `function` is not in the code of a module.
  init?(of function: UInt) {
    guard let module = Self.module(withCodeAt: function) else { return nil }
    self.init(function, in: module)
  }

  /// Creates the address of an async function from its async function pointer, a record with the
  /// function's relative offset and its context size. Nil if `record` has another form.
  init?(ofAsync record: UInt) {
    guard let words = Self.bytes(at: record) else { return nil }
    let distance = Int(Int32(truncatingIfNeeded: words))
    let memory = UInt32(truncatingIfNeeded: words >> 32)
    let function = record &+ UInt(bitPattern: distance)
    guard Self.contextSizes.contains(memory), let module = Self.module(withCodeAt: function)
    else { return nil }
    self.init(record, in: module)
  }

  private init?(_ address: UInt, in module: LoadedModule) {
    guard UInt64(address) >= module.loadBias, let beginning = Self.bytes(at: address) else {
      return nil
    }
    self.module = module.path
    identity = module.identity
    offset = UInt64(address) - module.loadBias
    self.beginning = beginning
  }

  /// The address in this process; nil if the module is not loaded or was replaced.
  var address: UInt? {
    let found = LoadedModules.all().first { $0.path == module && $0.identity == identity }
    guard let found else { return nil }
    let address = UInt(found.loadBias + offset)
    return Self.bytes(at: address) == beginning ? address : nil
  }

  /// The plausible context sizes of async functions: at least the header of two words, at most 16
  /// MiB.
  private static let contextSizes: ClosedRange<UInt32> = 16...1 << 24

  private static func module(withCodeAt address: UInt) -> LoadedModule? {
    LoadedModules.all().first { $0.text.contains(UInt64(address)) }
  }

  private static func bytes(at address: UInt) -> UInt64? {
    guard ms_is_readable(address), ms_is_readable(address &+ 7) else { return nil }
    return UnsafeRawPointer(bitPattern: address)?.loadUnaligned(as: UInt64.self)
  }
}
