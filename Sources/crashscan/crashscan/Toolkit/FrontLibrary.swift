/// A generated shared library that defines the listed functions, for the loader to search before
/// the real libraries. Each function jumps to `ms_toolkit_enter` of libmainstay-toolkit.so, which
/// reads the lists from this library.
///
/// The library is written directly, not compiled, because a user of `crashscan run` need not have a
/// compiler. It has the three segments that a linker would create: read-only tables, code, and
/// writable entries.
package struct FrontLibrary {
  /// The bytes of the file.
  package let bytes: [UInt8]

  /// The maximum number of toolkits; equals `MS_TOOLKITS`.
  package static let mostToolkits = 15

  package init(_ lists: [CallList]) {
    var writer = FrontLibraryWriter(lists)
    bytes = writer.write()
  }
}

/// Writes the file, one table after another.
private struct FrontLibraryWriter {
  private struct Kit {
    var list: CallList
    /// Merges another list of the same toolkit. Both have one owner, because GTK 3 and GTK 4 are
    /// never loaded together.
    mutating func add(_ other: CallList) {
      list.libraries += other.libraries.filter { !list.libraries.contains($0) }
      if list.objects.isEmpty { (list.objects, list.naming) = (other.objects, other.naming) }
    }
  }

  private static let page = 4096
  private static let codeSize = 24
  private static let listName = "mainstay_toolkit_list"
  private static let enterName = "ms_toolkit_enter"

  private var kits: [Kit] = []
  /// The functions, sorted by name; if two toolkits list a function, the first one's entry wins.
  private var functions: [(name: String, kit: Int, function: CallList.Function)] = []
  private var texts = TextTable()

  init(_ lists: [CallList]) {
    var owners: [String: (kit: Int, function: CallList.Function)] = [:]
    for list in lists {
      let known = kits.firstIndex { $0.list.toolkit == list.toolkit }
      if let known { kits[known].add(list) } else { kits.append(Kit(list: list)) }
      let kit = known ?? kits.count - 1
      for (name, function) in list.functions where owners[name] == nil {
        owners[name] = (kit, function)
      }
    }
    functions = owners.map { ($0.key, $0.value.kit, $0.value.function) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  mutating func write() -> [UInt8] {
    let names = functions.map(\.name)
    let symbols = names + [Self.listName, Self.enterName]
    let symbolTexts = symbols.map { texts.place(of: $0) }
    let functionTable = functionTable()
    let kitTable = kitTable()

    // The layout of the file; an offset in the file is also the address.
    var at = 64 + 5 * 56
    func room(_ size: Int, _ alignment: Int = 8) -> Int {
      let place = (at + alignment - 1) / alignment * alignment
      at = place + size
      return place
    }
    let hash = hashTable(symbols)
    let hashAt = room(hash.count)
    let symbolsAt = room((symbols.count + 1) * 24)
    let relocationsAt = room(24)
    let functionsAt = room(functionTable.count)
    let kitsAt = room(kitTable.count)
    let textsAt = room(texts.bytes.count)
    let readEnd = at
    let codeAt = room(names.count * Self.codeSize, Self.page)
    let codeEnd = at
    let dynamicAt = room(9 * 16, Self.page)
    let enterAt = room(8)
    let listAt = room(56)
    let entriesAt = room(names.count * 16, 16)

    var file = Bytes()
    file.header(programHeaders: 5)
    file.program(type: 1, flags: 4, at: 0, size: readEnd)
    file.program(type: 1, flags: 5, at: codeAt, size: codeEnd - codeAt)
    file.program(type: 1, flags: 6, at: dynamicAt, size: at - dynamicAt)
    file.program(type: 2, flags: 6, at: dynamicAt, size: 9 * 16, alignment: 8)
    // A non-executable stack.
    file.program(type: 0x6474_e551, flags: 6, at: 0, size: 0, alignment: 16)

    file.append(hash, at: hashAt)
    file.pad(to: symbolsAt + 24)
    for (index, text) in symbolTexts.enumerated() {
      switch index {
      case ..<names.count:
        file.symbol(
          text, type: 2, section: 1, at: codeAt + index * Self.codeSize, size: Self.codeSize)
      case names.count: file.symbol(text, type: 1, section: 1, at: listAt, size: 56)
      default: file.symbol(text, type: 0, section: 0, at: 0, size: 0)
      }
    }
    // The word at `enterAt` becomes the address of `ms_toolkit_enter`.
    file.pad(to: relocationsAt)
    file.append(UInt64(enterAt))
    file.append(UInt64(symbols.count) << 32 | 6)
    file.append(UInt64(0))
    file.append(functionTable, at: functionsAt)
    file.append(kitTable, at: kitsAt)
    file.append(texts.bytes, at: textsAt)

    file.pad(to: codeAt)
    for index in names.indices {
      file.front(at: codeAt + index * Self.codeSize, entry: entriesAt + index * 16, enter: enterAt)
    }

    file.pad(to: dynamicAt)
    let dynamic: [(UInt64, Int)] = [
      (4, hashAt), (5, textsAt), (6, symbolsAt), (10, texts.bytes.count), (11, 24),
      (7, relocationsAt), (8, 24), (9, 24), (0, 0),
    ]
    for (tag, value) in dynamic {
      file.append(tag)
      file.append(UInt64(value))
    }
    file.append(UInt64(0))
    file.pad(to: listAt)
    for number in [1, names.count, kits.count, 0] { file.append(UInt32(number)) }
    for place in [entriesAt, functionsAt, kitsAt, textsAt, codeAt] {
      file.append(UInt64(bitPattern: Int64(place - listAt)))
    }
    file.pad(to: entriesAt)
    for (index, function) in functions.enumerated() {
      let isOfNobody = function.function.kind == .lock || function.function.kind == .unlock
      file.append(UInt64(0))
      file.append(UInt32(isOfNobody ? 0 : (1 + function.kit) * 16))
      file.append(UInt32(index))
    }
    return file.bytes
  }

  private mutating func functionTable() -> [UInt8] {
    var table = Bytes()
    for (name, kit, function) in functions {
      table.append(texts.place(of: name))
      table.append(texts.place(of: function.type))
      table.append(function.kind.rawValue)
      table.append(UInt16(kit))
    }
    return table.bytes
  }

  private mutating func kitTable() -> [UInt8] {
    var table = Bytes()
    for kit in kits.map(\.list) {
      table.append(texts.place(of: kit.toolkit))
      table.append(texts.place(of: kit.libraries.joined(separator: "\n")))
      let fixes = kit.fixes.map { "\($0.language) \($0.text)" }
      table.append(texts.place(of: fixes.joined(separator: "\n")))
      table.append(texts.place(of: kit.objects))
      table.append(texts.place(of: kit.naming))
      table.append(kit.owner.number)
    }
    return table.bytes
  }

  /// Returns the symbol hash table in the older SysV format, which every loader supports.
  private func hashTable(_ symbols: [String]) -> [UInt8] {
    let buckets = max(1, symbols.count)
    var first = [UInt32](repeating: 0, count: buckets)
    var next = [UInt32](repeating: 0, count: symbols.count + 1)
    for (index, symbol) in symbols.enumerated() {
      var hash: UInt32 = 0
      for byte in symbol.utf8 {
        hash = hash << 4 &+ UInt32(byte)
        let high = hash & 0xf000_0000
        hash = (hash ^ high >> 24) & ~high
      }
      let bucket = Int(hash) % buckets
      next[index + 1] = first[bucket]
      first[bucket] = UInt32(index + 1)
    }
    var table = Bytes()
    table.append(UInt32(buckets))
    table.append(UInt32(symbols.count + 1))
    for word in first + next { table.append(word) }
    return table.bytes
  }
}

/// A string table: each text once, terminated by a zero byte; the empty text is at 0.
private struct TextTable {
  private(set) var bytes: [UInt8] = [0]
  private var places: [String: UInt32] = ["": 0]

  mutating func place(of text: String) -> UInt32 {
    if let place = places[text] { return place }
    let place = UInt32(bytes.count)
    bytes += Array(text.utf8) + [0]
    places[text] = place
    return place
  }
}

/// A buffer for an ELF file, little-endian.
private struct Bytes {
  private(set) var bytes: [UInt8] = []

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  mutating func pad(to place: Int) {
    bytes += [UInt8](repeating: 0, count: place - bytes.count)
  }

  mutating func append(_ other: [UInt8], at place: Int) {
    pad(to: place)
    bytes += other
  }

  /// Appends the header of a shared object for x86-64.
  mutating func header(programHeaders: UInt16) {
    bytes += [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]
    pad(to: 16)
    append(UInt16(3))
    append(UInt16(62))
    append(UInt32(1))
    append(UInt64(0))
    append(UInt64(64))
    append(UInt64(0))
    append(UInt32(0))
    let sizes: [UInt16] = [64, 56, programHeaders, 64, 0, 0]
    for size in sizes { append(size) }
  }

  mutating func program(
    type: UInt32, flags: UInt32, at place: Int, size: Int, alignment: Int = 4096
  ) {
    append(type)
    append(flags)
    for number in [place, place, place, size, size, alignment] { append(UInt64(number)) }
  }

  mutating func symbol(_ name: UInt32, type: UInt8, section: UInt16, at place: Int, size: Int) {
    append(name)
    let isGlobal: UInt8 = 1 << 4
    append(isGlobal | type)
    append(UInt8(0))
    append(section)
    append(UInt64(place))
    append(UInt64(size))
  }

  /// Appends the stub of a function: `endbr64; lea entry(%rip), %r11; jmp *enter(%rip)`.
  mutating func front(at place: Int, entry: Int, enter: Int) {
    pad(to: place)
    bytes += [0xf3, 0x0f, 0x1e, 0xfa, 0x4c, 0x8d, 0x1d]
    append(Int32(entry - (place + 11)))
    bytes += [0xff, 0x25]
    append(Int32(enter - (place + 17)))
    pad(to: place + 24)
  }
}
