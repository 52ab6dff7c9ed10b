import CMachineCode
import Glibc
import Symbolication

/// The function that an instruction calls.
struct Callee: Hashable {
  /// The linker's name.
  var name: String
  /// The address in the audited file; nil for a function of a library.
  var address: UInt64?
}

/// The decoded code of the audited file.
final class ProgramCode {
  let file: LinkedFile
  private var decoded: [UInt64: [ms_operation]] = [:]
  private var callees: [UInt64: Callee?] = [:]
  private var demangler = Demangler()
  private var readable: [String: String] = [:]
  private var referrers: [UInt64: [(place: UInt64, kind: ms_reference_kind)]] = [:]
  /// Functions with more code than this are data tables, or damaged.
  private static let mostCode = 1 << 20

  init(_ file: LinkedFile) { self.file = file }

  /// The operations of a function, in the order of their addresses.
  func operations(of function: LinkedFile.Function) -> [ms_operation] {
    if let known = decoded[function.address] { return known }
    var operations: [ms_operation] = []
    if function.size <= Self.mostCode,
      let bytes = file.bytes(at: function.address, count: function.size)
    {
      operations = [ms_operation](unsafeUninitializedCapacity: function.size) { buffer, count in
        count = ms_decode(
          bytes.baseAddress, bytes.count, function.address, buffer.baseAddress, buffer.count)
      }
    }
    decoded[function.address] = operations
    return operations
  }

  /// The function at an address: a function of the file, or the library's function behind an entry of the
  /// procedure linkage table.
  func callee(at address: UInt64) -> Callee? {
    if let known = callees[address] { return known }
    let found = findCallee(at: address)
    callees[address] = found
    return found
  }

  private func findCallee(at address: UInt64) -> Callee? {
    if let slot = slot(ofStubAt: address), let word = file.word(at: slot) {
      switch word {
      case .imported(let name): return Callee(name: name)
      case .address(let target) where target != address: return callee(at: target)
      case .address: return nil
      }
    }
    guard let function = file.function(containing: address), function.address == address else {
      return nil
    }
    return Callee(name: function.name, address: address)
  }

  /// The word that an entry of the procedure linkage table jumps through.
  private func slot(ofStubAt address: UInt64) -> UInt64? {
    guard let bytes = file.bytes(at: address, count: 11) ?? file.bytes(at: address, count: 6)
    else { return nil }
    let prefixes: [[UInt8]] = [
      [0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25], [0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25],
      [0xf2, 0xff, 0x25], [0xff, 0x25],
    ]
    for prefix in prefixes
    where bytes.count >= prefix.count + 4 && bytes.prefix(prefix.count).elementsEqual(prefix) {
      let distance = bytes.loadUnaligned(fromByteOffset: prefix.count, as: Int32.self)
      return address &+ UInt64(prefix.count + 4) &+ UInt64(bitPattern: Int64(distance))
    }
    return nil
  }

  private lazy var symbols: [UInt64: String] = {
    var symbols: [UInt64: String] = [:]
    file.forEachSymbol { name, address in
      let length = strlen(name)
      // `…N`, `…Mf` and `…MD`: metadata, and the variables that cache it; `…vpZ`: static variables.
      guard length > 4, name[0] == UInt8(ascii: "$"),
        [UInt8(ascii: "N"), UInt8(ascii: "f"), UInt8(ascii: "D"), UInt8(ascii: "Z")].contains(
          UInt8(bitPattern: name[length - 1]))
      else { return }
      symbols[address] = String(cString: name)
    }
    return symbols
  }()

  /// The linker name of the type metadata at an address, of the variable that caches it, or of a static variable.
  func symbol(at address: UInt64) -> String? { symbols[address] }

  /// The readable form of a linker name.
  func readable(_ name: String) -> String {
    if let known = readable[name] { return known }
    let text = demangler.readable(name) ?? name
    readable[name] = text
    return text
  }

  /// The references to an address from all code. They are cached: many closures may be passed through one function.
  func references(to address: UInt64) -> [(place: UInt64, kind: ms_reference_kind)] {
    if let known = referrers[address] { return known }
    let found = references(to: [address]).map { ($0.place, $0.kind) }
    referrers[address] = found
    return found
  }

  /// The references to addresses from all code, which is read once.
  func references(to addresses: [UInt64]) -> [(
    place: UInt64, target: UInt64, kind: ms_reference_kind
  )] {
    let sorted = Array(Set(addresses)).sorted()
    if sorted.isEmpty { return [] }
    return file.sections.filter(\.isCode).flatMap { section in
      var (found, count) = ([ms_reference](), 1 << 12)
      repeat {
        found = [ms_reference](unsafeUninitializedCapacity: count) { buffer, stored in
          count = ms_find_references(
            section.bytes.baseAddress, section.bytes.count, section.address, sorted, sorted.count,
            buffer.baseAddress, buffer.count)
          stored = min(count, buffer.count)
        }
      } while found.count < count
      return found.map { ($0.place, sorted[Int($0.target)], ms_reference_kind($0.kind)) }
    }
  }
}
