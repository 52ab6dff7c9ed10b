import CMachineCode

/// The content of a register or of a word of memory, as far as the audit knows it: an offset from an object.
struct Value: Hashable {
  /// The number of the object, in `Heap`.
  var object: Int
  var offset: Int64

  /// The object of plain numbers and of addresses in the file, whose offset is the number.
  static let numbers = 0
  /// The object of values that are unknown and were never used as an address.
  static let nothing = -1

  static let unknown = Value(object: nothing, offset: 0)

  static func number(_ number: Int64) -> Value { Value(object: numbers, offset: number) }

  /// The address in the file; nil for any other value.
  var address: UInt64? { object == Self.numbers ? UInt64(bitPattern: offset) : nil }

  /// True for an object whose content can be known.
  var isReference: Bool { object > 0 }

  func moved(by distance: Int64) -> Value {
    object == Self.nothing ? self : Value(object: object, offset: offset &+ distance)
  }
}

/// The memory that the audited code uses: one object for each stack frame, allocation and unknown address.
struct Heap {
  enum Origin: Equatable {
    case stack
    /// Memory that the code itself allocated, for an object whose class has metadata of this linker name; empty if
    /// unknown.
    case allocation(of: String)
    /// An object that was made with the main queue, such as a timer source.
    case servesMain
    /// The metadata of a class, by the linker name of a symbol that mentions it.
    case metadata(String)
    /// The result of a call of the function of this linker name.
    case result(of: String)
    /// The content of a word of another object.
    case content(of: Value)
    /// A register at the entry of a function of this linker name.
    case parameter(register: Int, of: String)
    case imported(String)
    case unknown
  }

  private struct Object {
    var origin: Origin
    var words: [Int64: Value] = [:]
  }

  private var objects = [Object(origin: .unknown)]

  mutating func add(_ origin: Origin) -> Value {
    objects.append(Object(origin: origin))
    return Value(object: objects.count - 1, offset: 0)
  }

  func origin(of value: Value) -> Origin {
    value.isReference ? objects[value.object].origin : .unknown
  }

  /// True for memory whose content only this code knows.
  func isOwn(_ value: Value) -> Bool {
    switch origin(of: value) {
    case .stack, .allocation: true
    default: false
    }
  }

  /// The word at a value; an unknown word becomes an object of its own, so that it keeps its identity.
  mutating func load(_ place: Value) -> Value {
    guard place.isReference else { return .unknown }
    if let known = objects[place.object].words[place.offset] { return known }
    let loaded = add(.content(of: place))
    objects[place.object].words[place.offset] = loaded
    return loaded
  }

  mutating func store(_ value: Value, at place: Value) {
    guard place.isReference else { return }
    objects[place.object].words[place.offset] = value == .unknown ? nil : value
  }

  /// The known word at a value.
  func peek(_ place: Value) -> Value? {
    place.isReference ? objects[place.object].words[place.offset] : nil
  }

  /// The known words of an object at these offsets, in order.
  func words(of value: Value, from: Int64 = .min, to: Int64 = .max) -> [(
    offset: Int64, value: Value
  )] {
    guard value.isReference else { return [] }
    return objects[value.object].words.filter { $0.key >= from && $0.key < to }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Copies the words between two offsets of an object to a new object.
  mutating func copy(of value: Value, size: Int64) -> Value {
    let copied = add(.allocation(of: ""))
    for (offset, word) in words(of: value, from: value.offset, to: value.offset + size) {
      objects[copied.object].words[offset - value.offset] = word
    }
    return copied
  }
}

/// The registers of one function's activation.
struct Registers {
  private var values = [Value](repeating: .unknown, count: Int(MS_REGISTER_COUNT))

  static let rax = 0, rcx = 1, rdx = 2, rsp = 4, rsi = 6, rdi = 7, r8 = 8, r9 = 9, r13 = 13

  /// The registers of the first arguments, in order.
  static let arguments = [rdi, rsi, rdx, rcx, r8, r9]

  /// The registers that a call may change; self and the context of a closure, in r13, survive.
  static let clobbered = [0, 1, 2, 6, 7, 8, 9, 10, 11] + Array(16..<Int(MS_REGISTER_COUNT))

  subscript(register: Int) -> Value {
    get { register < values.count ? values[register] : .unknown }
    set { if register < values.count { values[register] = newValue } }
  }
}
