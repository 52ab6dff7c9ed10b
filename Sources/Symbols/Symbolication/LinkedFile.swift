import CSymbols
import Glibc

/// The code and data of an ELF file, with the names that its code refers to.
package final class LinkedFile {
  /// A function, by its symbol.
  package struct Function: Sendable {
    package var address: UInt64
    package var size: Int
    /// The linker's name.
    package var name: String
  }

  /// The value that the dynamic linker writes to a word.
  package enum Word: Equatable, Sendable {
    case address(UInt64)
    case imported(String)
  }

  /// The bytes of a section that is loaded into memory.
  package struct Section {
    package var address: UInt64
    package var bytes: UnsafeRawBufferPointer
    package var isCode: Bool

    fileprivate func contains(_ address: UInt64) -> Bool {
      address >= self.address && address - self.address < UInt64(bytes.count)
    }
  }

  package let path: String
  package let sections: [Section]
  private var linkage: ms_linkage
  /// The linkage of the file with the symbols, if that is another file.
  private var named: ms_linkage?
  /// The indices of the symbols in code, one for each address.
  private let functions: [Int]

  /// Reads a file.
  ///
  /// - Parameter symbolPath: The file of the same build with the symbol table; nil for the file itself.
  package init(path: String, symbolPath: String? = nil) throws(ModuleStatus) {
    self.path = path
    linkage = try Self.read(path)
    let code = Self.sections(of: linkage)
    sections = code
    named = symbolPath.flatMap { $0 == path ? nil : try? Self.read($0) }
    functions = Self.functions(of: named ?? linkage, in: code.filter(\.isCode))
  }

  deinit {
    ms_linkage_free(&linkage)
    if var named { ms_linkage_free(&named) }
  }

  private static func read(_ path: String) throws(ModuleStatus) -> ms_linkage {
    let file: RegularFile
    do { file = try RegularFile(path: path) } catch { throw ModuleStatus(error) }
    var linkage = ms_linkage()
    guard ms_linkage_read(file.descriptor, &linkage) else {
      throw .unreadable(reason: "not an executable or shared library")
    }
    return linkage
  }

  private static func sections(of linkage: ms_linkage) -> [Section] {
    UnsafeBufferPointer(start: linkage.sections, count: linkage.section_count).map {
      Section(
        address: $0.address, bytes: UnsafeRawBufferPointer(start: $0.bytes, count: $0.size),
        isCode: $0.is_code)
    }
  }

  /// Returns the indices of the symbols that name functions, in the order of their addresses.
  private static func functions(of linkage: ms_linkage, in code: [Section]) -> [Int] {
    let symbols = UnsafeBufferPointer(start: linkage.symbols, count: linkage.symbol_count)
    var functions: [Int] = []
    var section = code[...]
    for (index, symbol) in symbols.enumerated() {
      while let first = section.first, symbol.address >= first.address,
        !first.contains(symbol.address)
      {
        section.removeFirst()
      }
      guard let first = section.first, first.contains(symbol.address) else { continue }
      if let last = functions.last, symbols[last].address == symbol.address { continue }
      functions.append(index)
    }
    return functions
  }

  /// True if the code is for x86-64.
  package var isX86: Bool { linkage.machine == 62 }

  /// The names of the libraries that the file was linked with.
  package var libraries: [String] {
    (0..<linkage.library_count).compactMap { linkage.libraries[$0].map { String(cString: $0) } }
  }

  /// The directories in which the dynamic linker looks for libraries.
  package var libraryDirectories: [String] {
    guard let text = linkage.library_path else { return [] }
    let origin = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return String(cString: text).split(separator: ":").map {
      String($0).replacing("${ORIGIN}", with: origin).replacing("$ORIGIN", with: origin)
    }
  }

  /// True if the file has a symbol for any function.
  package var hasFunctions: Bool { !functions.isEmpty }

  private var symbols: UnsafeBufferPointer<ms_defined_symbol> {
    let table = named ?? linkage
    return UnsafeBufferPointer(start: table.symbols, count: table.symbol_count)
  }

  /// Returns the function that contains an address; nil without a symbol.
  package func function(containing address: UInt64) -> Function? {
    let position = functions.firstPosition { symbols[$0].address > address }
    guard position > 0 else { return nil }
    let index = functions[position - 1]
    let start = symbols[index].address
    let next = position < functions.count ? symbols[functions[position]].address : .max
    guard let section = section(containing: start) else { return nil }
    let end = min(next, section.address + UInt64(section.bytes.count))
    guard address < end else { return nil }
    // Alignment after a function belongs to no symbol, but does no harm.
    return Function(
      address: start, size: Int(end - start), name: String(cString: symbols[index].name))
  }

  /// Calls `body` for each symbol, with its linker name and its address.
  package func forEachSymbol(_ body: (UnsafePointer<CChar>, UInt64) -> Void) {
    for symbol in symbols { body(symbol.name, symbol.address) }
  }

  /// The words that the dynamic linker fills with imported symbols, with the symbols' names.
  package var imports: [(address: UInt64, name: String)] {
    words.compactMap { word in word.name.map { (word.address, String(cString: $0)) } }
  }

  private var words: UnsafeBufferPointer<ms_relocated_word> {
    UnsafeBufferPointer(start: linkage.words, count: linkage.word_count)
  }

  /// The addresses of the words that contain an address of this file.
  package func words(pointingTo isWanted: (UInt64) -> Bool) -> [(word: UInt64, value: UInt64)] {
    words.compactMap { word in
      word.name == nil && isWanted(word.value) ? (word.address, word.value) : nil
    }
  }

  /// The value of a word after the dynamic linker's work; nil outside of the file's data.
  package func word(at address: UInt64) -> Word? {
    let position = words.firstPosition { $0.address >= address }
    if position < words.count, words[position].address == address {
      let word = words[position]
      return word.name.map { .imported(String(cString: $0)) } ?? .address(word.value)
    }
    guard let bytes = bytes(at: address, count: 8) else { return nil }
    return .address(bytes.loadUnaligned(as: UInt64.self))
  }

  package func section(containing address: UInt64) -> Section? {
    let position = sections.firstPosition { $0.address > address }
    guard position > 0, sections[position - 1].contains(address) else { return nil }
    return sections[position - 1]
  }

  /// The bytes from an address on; nil if the file has fewer.
  package func bytes(at address: UInt64, count: Int) -> UnsafeRawBufferPointer? {
    guard let section = section(containing: address) else { return nil }
    let offset = Int(address - section.address)
    guard count >= 0, section.bytes.count - offset >= count else { return nil }
    return UnsafeRawBufferPointer(rebasing: section.bytes[offset..<offset + count])
  }
}

extension RandomAccessCollection where Index == Int {
  /// The position of the first element for which `isAfter` is true; all later elements must match too.
  fileprivate func firstPosition(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
