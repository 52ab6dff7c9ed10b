import Glibc
import Symbolication

/// The method tables of classes, in the audited file and in the libraries that it was linked with.
final class ClassTables {
  private struct Table {
    var file: LinkedFile
    /// The address of the class, from which methods have their offsets.
    var address: UInt64
    var isOwn: Bool
  }

  private let code: ProgramCode
  /// The tables by the linker name of the class, without its suffix.
  private var tables: [String: Table] = [:]
  /// The classes of libraries that the file refers to.
  private var used: [String] = []

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
      // `$s3App5ModelCN`: the metadata of a class.
      guard name[0] == UInt8(ascii: "$"), name[1] == UInt8(ascii: "s") else { return }
      let length = strlen(name)
      guard length > 4, name[length - 1] == UInt8(ascii: "N"), name[length - 2] == UInt8(ascii: "C")
      else { return }
      let key = String(String(cString: name).dropLast())
      tables[key] = Table(file: file, address: address, isOwn: isOwn)
    }
  }

  /// The method at an offset of the class of a receiver; nil if the class is unknown, and classes differ in their
  /// methods at this offset.
  ///
  /// - Parameter isBlock: True if the method receives a block, false if it receives a Swift function.
  func method(at offset: Int64, of receiver: Heap.Origin, isBlock: Bool) -> Callee? {
    switch receiver {
    case .result(let name), .parameter(_, let name):
      // The class of the member itself, or else the only class that a parameter or the result may have.
      let isMember = receiver != .parameter(register: Registers.r13, of: name)
      if !isMember || isOfOwnType(name), let own = className(in: name) {
        return method(at: offset, ofClass: own)
      }
      let named = used.filter { name.contains($0.dropFirst(2)) }
        .compactMap { method(at: offset, ofClass: $0) }
      if named.count == 1 { return named[0] }
    default: break
    }
    let found = Set(used.compactMap { method(at: offset, ofClass: $0) })
      .filter { SwiftSymbol($0.name).takesFunctions && SwiftSymbol($0.name).takesBlocks == isBlock }
    return found.count == 1 ? found.first : nil
  }

  /// True for an initializer, and for a static member such as `shared`, whose result has most likely the type of the
  /// member's own class.
  private func isOfOwnType(_ name: String) -> Bool {
    name.hasSuffix("fC") || name.hasSuffix("vgZ") || name.hasSuffix("fc")
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
    switch table.file.word(at: table.address &+ UInt64(offset)) {
    case .imported(let name): return Callee(name: name)
    case .address(let address):
      if table.isOwn { return code.callee(at: address) }
      guard let function = table.file.function(containing: address), function.address == address
      else { return nil }
      return Callee(name: function.name)
    case nil: return nil
    }
  }
}
