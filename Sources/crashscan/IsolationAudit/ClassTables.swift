import Glibc
import Symbolication

/// The method tables of classes, in the audited file and in the libraries that it was linked with.
final class ClassTables {
  private struct Table {
    var file: LinkedFile
    var isOwn: Bool
    /// The address of the class's metadata, from which methods have their offsets; nil for a generic class.
    var metadata: UInt64?
    /// The methods that the class itself introduces, by their offsets.
    var methods: [Int64: UInt64] = [:]
  }

  /// A linker name that mentions the class of an object.
  struct Mention {
    var name: String
    /// True if the class is the one that the name begins with, false if the name may mention it anywhere.
    var isMember: Bool
  }

  private let code: ProgramCode
  /// The tables by the linker name of the class, without its suffix.
  private var tables: [String: Table] = [:]
  /// The classes that the file refers to.
  private var used: [String] = []
  /// The classes of the file that are actors.
  private var actors: Set<String> = []
  /// The linker names of stored properties, which mention their types, by the class and the offset.
  private var fields: [String: [Int64: String]] = [:]

  init(_ code: ProgramCode, libraries: [LinkedFile]) {
    self.code = code
    for library in libraries { addClasses(of: library, isOwn: false) }
    addClasses(of: code.file, isOwn: true)
    let named = Set(code.file.imports.map(\.name))
    used = tables.keys.filter { name in
      tables[name]!.isOwn || ["Ma", "N", "Mn"].contains { named.contains(name + $0) }
    }.sorted()
  }

  private func addClasses(of file: LinkedFile, isOwn: Bool) {
    file.forEachSymbol { name, address in
      guard name[0] == UInt8(ascii: "$"), name[1] == UInt8(ascii: "s") else { return }
      let length = strlen(name)
      guard length > 5 else { return }
      let end = (0..<3).map { UInt8(bitPattern: name[length - 3 + $0]) }
      // `$s3App5ModelCN`: metadata; `$s3App5ModelCMn`: a descriptor; `…vpWvd`: the offset of a stored property.
      if end[1] == UInt8(ascii: "C"), end[2] == UInt8(ascii: "N") {
        let key = String(String(cString: name).dropLast())
        tables[key, default: Table(file: file, isOwn: isOwn)].metadata = address
      } else if end.elementsEqual("CMn".utf8) {
        let key = String(String(cString: name).dropLast(2))
        let descriptor = ClassDescriptor(file: file, address: address)
        tables[key, default: Table(file: file, isOwn: isOwn)].methods = descriptor.methods
        if isOwn, descriptor.isActor { actors.insert(key) }
      } else if isOwn, end.elementsEqual("Wvd".utf8) {
        addField(String(cString: name), at: address)
      }
    }
  }

  private func addField(_ name: String, at address: UInt64) {
    guard let offset = code.file.bytes(at: address, count: 8)?.loadUnaligned(as: Int64.self),
      let end = name.firstIndex(of: "C")
    else { return }
    var last = end
    // The class ends in the first `C` behind its name, which may contain the letter too.
    while true {
      let key = String(name[...last])
      fields[key, default: [:]][offset] = name
      guard let next = name[name.index(after: last)...].firstIndex(of: "C") else { return }
      last = next
    }
  }

  /// The readable name of the actor whose member has a linker name; nil if the member is not an actor's.
  func actor(ofMember name: String) -> String? {
    guard let key = className(in: name), actors.contains(key) else { return nil }
    return code.readable(key + "Mn").replacing("nominal type descriptor for ", with: "")
  }

  /// The linker name of the property at an offset of an object, which mentions the property's type.
  func field(at offset: Int64, of owner: Mention) -> String? {
    guard owner.isMember, let key = className(in: owner.name) else { return nil }
    return fields[key]?[offset]
  }

  /// The method at an offset of the class of an object; nil if the class is unknown, and classes differ in their
  /// methods at this offset.
  ///
  /// - Parameter isBlock: True if the method receives a block, false if it receives a Swift function.
  func method(at offset: Int64, of mention: Mention, isBlock: Bool) -> Callee? {
    if mention.isMember || isOfOwnType(mention.name), let own = className(in: mention.name),
      let found = method(at: offset, ofClass: own)
    {
      return found
    }
    let candidates = used.compactMap { name in
      method(at: offset, ofClass: name).map { (name: name, callee: $0) }
    }
    let named = candidates.filter { mention.name.contains($0.name.dropFirst(2)) }
    // The name may also mention a class that is not the object's, such as the class of the function itself.
    let receiving = named.filter { SwiftSymbol($0.callee.name).mayReceiveFunctions }
    for group in [named, receiving] where Set(group.map(\.callee)).count == 1 {
      return group[0].callee
    }
    let found = Set(candidates.map(\.callee)).filter {
      SwiftSymbol($0.name).takesFunctions && SwiftSymbol($0.name).takesBlocks == isBlock
    }
    return found.count == 1 ? found.first : nil
  }

  /// True for an initializer, and for a static member such as `shared`, whose result has most likely the type of the
  /// member's own class.
  private func isOfOwnType(_ name: String) -> Bool {
    ["fC", "vgZ", "fc", "MD", "N"].contains(where: name.hasSuffix)
  }

  /// The class that a member's linker name begins with.
  private func className(in name: String) -> String? {
    var end = name.endIndex
    while let position = name[..<end].lastIndex(of: "C") {
      let candidate = String(name[...position])
      if tables[candidate] != nil { return candidate }
      end = position
    }
    return nil
  }

  private func method(at offset: Int64, ofClass name: String) -> Callee? {
    guard let table = tables[name], offset > 0, offset < 1 << 16 else { return nil }
    if let metadata = table.metadata,
      let word = table.file.word(at: metadata &+ UInt64(offset))
    {
      switch word {
      case .imported(let name): return Callee(name: name)
      case .address(let address): if let found = callee(at: address, table) { return found }
      }
    }
    return table.methods[offset].flatMap { callee(at: $0, table) }
  }

  private func callee(at address: UInt64, _ table: Table) -> Callee? {
    if table.isOwn { return code.callee(at: address) }
    guard let function = table.file.function(containing: address), function.address == address
    else { return nil }
    return Callee(name: function.name)
  }
}

/// The descriptor of a class, which lists the methods that the class introduces. The layout is a part of Swift's ABI.
private struct ClassDescriptor {
  let file: LinkedFile
  let address: UInt64

  private func word(_ offset: UInt64) -> UInt32 {
    file.bytes(at: address &+ offset, count: 4)?.loadUnaligned(as: UInt32.self) ?? 0
  }

  private func half(_ offset: UInt64) -> UInt64 {
    UInt64(file.bytes(at: address &+ offset, count: 2)?.loadUnaligned(as: UInt16.self) ?? 0)
  }

  var isActor: Bool { word(0) & 0x80_0000 != 0 }

  /// The functions of the methods, by their offsets from the metadata.
  var methods: [Int64: UInt64] {
    let flags = word(0)
    let (isGeneric, hasTable) = (flags & 0x80 != 0, flags & 0x8000_0000 != 0)
    let (hasResilientSuperclass, initialization) = (flags & 0x2000_0000 != 0, flags >> 16 & 3)
    guard hasTable else { return [:] }
    // The members that all classes have.
    var next: UInt64 = 44
    if isGeneric {
      let (parameters, requirements) = (half(next + 8), half(next + 10))
      // Packs and values have further lists, which are not read.
      guard half(next + 14) & 3 == 0 else { return [:] }
      next += 16 + (parameters + 3) / 4 * 4 + requirements * 12
    }
    if hasResilientSuperclass { next += 4 }
    // The initialization of metadata: none, in place, or of a foreign class.
    if initialization == 1 { next += 12 }
    if initialization == 2 { next += 4 }
    let (first, count) = (Int64(word(next)), UInt64(min(word(next + 4), 4096)))
    next += 8
    var found: [Int64: UInt64] = [:]
    for index in 0..<count {
      let place = next + index * 8 + 4
      let distance = Int32(bitPattern: word(place))
      guard distance != 0 else { continue }
      found[(first + Int64(index)) * 8] = address &+ place &+ UInt64(bitPattern: Int64(distance))
    }
    return found
  }
}
