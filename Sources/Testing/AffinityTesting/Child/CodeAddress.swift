internal import CRecorder

/// A function of this program, which a child of it finds in its own memory.
struct CodeAddress: Codable, Sendable {
  private let module: String
  /// The identity of the module's file.
  private let identity: [UInt8]
  private let offset: UInt64
  /// The word at the beginning.
  private let beginning: UInt64

  /// A function that C may call; nil if no code is.
  init?(of function: UInt) {
    guard let module = Self.module(withCodeAt: function) else { return nil }
    self.init(function, in: module)
  }

  /// An asynchronous function, by the record that describes it: how far it is from there, and how much memory it
  /// takes. Nil if no such record is.
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

  /// The address in this process; nil if the module is not loaded, or has been replaced.
  var address: UInt? {
    let found = LoadedModules.all().first { $0.path == module && $0.identity == identity }
    guard let found else { return nil }
    let address = UInt(found.loadBias + offset)
    return Self.bytes(at: address) == beginning ? address : nil
  }

  /// Two words that all begin with, and no more than any function has.
  private static let contextSizes: ClosedRange<UInt32> = 16...1 << 24

  private static func module(withCodeAt address: UInt) -> LoadedModule? {
    LoadedModules.all().first { $0.text.contains(UInt64(address)) }
  }

  private static func bytes(at address: UInt) -> UInt64? {
    guard ms_is_readable(address), ms_is_readable(address &+ 7) else { return nil }
    return UnsafeRawPointer(bitPattern: address)?.loadUnaligned(as: UInt64.self)
  }
}
