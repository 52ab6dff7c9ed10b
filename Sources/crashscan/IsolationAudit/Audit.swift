import CMachineCode
import CrashAnalysis
import Glibc
import IncidentModel
import Symbolication

/// Finds the places of a program that can trap by isolation.
package struct Audit {
  /// The reason why a file cannot be audited.
  package enum Failure: Error {
    case unreadable(ModuleStatus)
    case otherMachine
    case noSymbols
  }

  let code: ProgramCode
  let module: Module
  let callbacks: CallbackTable
  var symbolicator: Symbolicator
  let classes: ClassTables

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - symbolDirectories: Directories with symbols, in addition to those of debuggers.
  ///   - callbacks: The functions that are known to call back.
  package init(
    of path: String, symbolDirectories: [String], callbacks: CallbackTable
  ) throws(Failure) {
    symbolicator = Symbolicator(symbolDirectories: symbolDirectories)
    self.callbacks = callbacks
    do throws(ModuleStatus) {
      // Symbols are found by the absolute path.
      let resolved = realpath(path, nil)
      defer { free(resolved) }
      guard let resolved else { throw ModuleStatus.notFound }
      let path = String(cString: resolved)
      module = try SymbolBundle.module(at: path)
      let file = try LinkedFile(path: path, symbolPath: symbolicator.symbolPath(of: module))
      code = ProgramCode(file)
    } catch {
      throw .unreadable(error)
    }
    guard code.file.isX86 else { throw .otherMachine }
    guard code.file.hasFunctions else { throw .noSymbols }
    classes = ClassTables(code, libraries: Self.libraries(of: code.file))
  }

  /// The Swift libraries that a file was linked with, as far as they are installed.
  static func libraries(of file: LinkedFile) -> [LinkedFile] {
    let directories = file.libraryDirectories + ["/usr/lib/swift/linux", "/usr/lib"]
    return file.libraries.compactMap { name -> LinkedFile? in
      guard name.hasPrefix("libFoundation") || name.hasPrefix("libswiftDispatch") else {
        return nil
      }
      for directory in directories {
        if let library = try? LinkedFile(path: "\(directory)/\(name)") { return library }
      }
      return nil
    }
  }

  /// Returns the places that can trap, in the order of their rank.
  package mutating func places() -> [AuditedPlace] {
    var search = TrapSearch(
      code, Tracer(code, classes: classes, callbacks: callbacks, traced: [:]))
    let traps = search.traps()
    let ways = ways(of: traps)
    // An entry check fails before any other check of the same function.
    let checked = Set(traps.filter { $0.kind == .entry }.map(\.function.address))
    let referenced = Set(
      code.file.words { _ in true }.map(\.value))
    var found: [AuditedPlace] = []
    for (index, trap) in traps.enumerated() {
      let address = trap.function.address
      if trap.kind != .entry, checked.contains(address), trap.kind != .library, trap.kind != .queue
      {
        continue
      }
      found += places(of: trap, ways[index]!, isReferenced: referenced.contains(address))
        .filter { !SystemCode.isMainstay(trap.function.name, file: $0.file) }
    }
    return merged(completed(found))
  }

  // MARK: Ways

  /// The code that receives a function with a trap.
  struct Ways {
    var arrivals: [Tracer.Arrival]
    /// True if code takes the address of the function.
    var isMentioned: Bool
    /// True if the witness of a conformance calls the function.
    var isInWitness: Bool
  }

  /// Follows the functions with traps to the code that receives them. The result has the arrivals of each trap, by
  /// its index.
  func ways(of traps: [Trap]) -> [Int: Ways] {
    var numbers: [UInt64: Int] = [:]
    for trap in traps where numbers[trap.function.address] == nil {
      numbers[trap.function.address] = numbers.count
    }
    addForwarders(to: &numbers)
    var origins: [UInt64: LinkedFile.Function] = [:]
    var (mentioned, inWitness): (Set<Int>, Set<Int>) = ([], [])
    for reference in code.references(to: Array(numbers.keys)) {
      guard let function = code.file.function(containing: reference.place),
        !SystemCode.contains(function.name), function.address != reference.target
      else { continue }
      origins[function.address] = function
      if SwiftSymbol(function.name).isWitness { inWitness.insert(numbers[reference.target]!) }
      if reference.kind == MS_REFERENCE_ADDRESS, !isForwarder(function) {
        mentioned.insert(numbers[reference.target]!)
      }
    }
    var tracer = Tracer(code, classes: classes, callbacks: callbacks, traced: numbers)
    var found: [Int: [Tracer.Arrival]] = [:]
    for origin in origins.keys.sorted()
    where numbers[origin] == nil || !isForwarder(origins[origin]!) {
      for arrival in tracer.trace(from: origins[origin]!) {
        found[arrival.traced, default: []].append(arrival)
      }
    }
    var byTrap: [Int: Ways] = [:]
    for (index, trap) in traps.enumerated() {
      let number = numbers[trap.function.address]!
      byTrap[index] = Ways(
        arrivals: found[number] ?? [], isMentioned: mentioned.contains(number),
        isInWitness: inWitness.contains(number))
    }
    return byTrap
  }

  func isForwarder(_ function: LinkedFile.Function) -> Bool {
    SwiftSymbol(function.name).isForwarder
  }

  /// Adds the addresses of forwarders, which stand for the function to which they jump.
  func addForwarders(to numbers: inout [UInt64: Int]) {
    var open = Array(numbers.keys)
    while !open.isEmpty {
      var added: [UInt64] = []
      for reference in code.references(to: open)
      where reference.kind == MS_REFERENCE_CALL || reference.kind == MS_REFERENCE_JUMP {
        guard let function = code.file.function(containing: reference.place),
          isForwarder(function), numbers[function.address] == nil
        else { continue }
        numbers[function.address] = numbers[reference.target]
        added.append(function.address)
      }
      open = added
    }
  }

  /// Replaces `App/Model.swift` by the path of the only known file of this name.
  func completed(_ places: [AuditedPlace]) -> [AuditedPlace] {
    var paths: [String: Set<String>] = [:]
    for path in places.flatMap({ [$0.file, $0.call?.file] }).compactMap(\.self)
    where path.hasPrefix("/") {
      paths[path.split(separator: "/").last.map(String.init) ?? "", default: []].insert(path)
    }
    return places.map { place in
      var place = place
      if let file = place.file, !file.hasPrefix("/"),
        let known = paths[file.split(separator: "/").last.map(String.init) ?? ""], known.count == 1
      {
        place.file = known.first
      }
      return place
    }
  }

  /// Merges copies of one place, such as specializations, and orders the places.
  func merged(_ places: [AuditedPlace]) -> [AuditedPlace] {
    var best: [String: AuditedPlace] = [:]
    for place in places {
      let key = key(of: place)
      if let known = best[key],
        (known.rank, known.isNamed ? 0 : 1) <= (place.rank, place.isNamed ? 0 : 1)
      {
        continue
      }
      best[key] = place
    }
    let named = Set(best.values.filter { $0.isNamed && $0.line != nil }.map(\.position))
    let assumed = Set(best.values.filter { $0.kind == .assumption }.map(\.line))
    return best.values.filter { place in
      // A copy that was inlined into another function has only the call's name.
      if !place.isNamed, place.line != nil, named.contains(place.position) { return false }
      // The optimizer calls the closure of assumeIsolated, which checks again, without assumeIsolated.
      return place.kind != .closure || place.rank != .here || !place.trail.isEmpty
        || place.line == nil || !assumed.contains(place.line)
    }.sorted {
      // Places without a file come last.
      ($0.rank, $0.file ?? "\u{10FFFF}", $0.line ?? 0, $0.function)
        < ($1.rank, $1.file ?? "\u{10FFFF}", $1.line ?? 0, $1.function)
    }
  }

  /// The key that copies of one place share. The accessors of a property, and the operators that are derived from one,
  /// have one line.
  func key(of place: AuditedPlace) -> String {
    let isWitness = place.kind == .witness && place.line != nil
    let name = isWitness ? place.conformance?.type ?? "" : place.function
    return "\(place.kind) \(name) \(place.position) \(place.check ?? "")"
  }
}

extension AuditedPlace {
  /// False if only the function of the call is known.
  fileprivate var isNamed: Bool {
    !function.hasPrefix("a closure in ") && !function.hasPrefix("specialized thunk ")
  }

  /// The kind, the file and the line, which equal places share.
  fileprivate var position: String {
    "\(kind == .closure || kind == .function ? "closure" : "check") \(file ?? "") \(line ?? 0)"
  }
}
