import CMachineCode
import CrashAnalysis
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

  private let code: ProgramCode
  private let module: Module
  private let callbacks: CallbackTable
  private var symbolicator: Symbolicator
  private let classes: ClassTables

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
  private static func libraries(of file: LinkedFile) -> [LinkedFile] {
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
    let arrivals = arrivals(of: traps)
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
      found += places(of: trap, arrivals[index] ?? [], isReferenced: referenced.contains(address))
    }
    return merged(completed(found))
  }

  // MARK: Ways

  /// Follows the functions with traps to the code that receives them. The result has the arrivals of each trap, by
  /// its index.
  private func arrivals(of traps: [Trap]) -> [Int: [Tracer.Arrival]] {
    var numbers: [UInt64: Int] = [:]
    for trap in traps where numbers[trap.function.address] == nil {
      numbers[trap.function.address] = numbers.count
    }
    addForwarders(to: &numbers)
    var origins: [UInt64: LinkedFile.Function] = [:]
    for reference in code.references(to: Array(numbers.keys)) {
      guard let function = code.file.function(containing: reference.place),
        !SystemCode.contains(function.name), function.address != reference.target
      else { continue }
      origins[function.address] = function
    }
    var tracer = Tracer(code, classes: classes, callbacks: callbacks, traced: numbers)
    var found: [Int: [Tracer.Arrival]] = [:]
    for origin in origins.keys.sorted()
    where numbers[origin] == nil || !isForwarder(origins[origin]!) {
      for arrival in tracer.trace(from: origins[origin]!) {
        found[arrival.traced, default: []].append(arrival)
      }
    }
    var byTrap: [Int: [Tracer.Arrival]] = [:]
    for (index, trap) in traps.enumerated() {
      byTrap[index] = found[numbers[trap.function.address]!]
    }
    return byTrap
  }

  private func isForwarder(_ function: LinkedFile.Function) -> Bool {
    SwiftSymbol(function.name).isForwarder
  }

  /// Adds the addresses of forwarders, which stand for the function to which they jump.
  private func addForwarders(to numbers: inout [UInt64: Int]) {
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

  // MARK: Places

  private mutating func places(
    of trap: Trap, _ arrivals: [Tracer.Arrival], isReferenced: Bool
  ) -> [AuditedPlace] {
    let name = code.readable(trap.function.name)
    if SwiftSymbol(trap.function.name).isWitness { return [witness(of: trap, name)] }
    // A direct call hands nothing over.
    let arrivals = arrivals.filter { !$0.trail.isEmpty && $0.trail.last != "__libc_start_main" }
    let ways = Dictionary(grouping: arrivals, by: \.call).values.compactMap { way in
      way.min { rank($0, trap) < rank($1, trap) }
    }.sorted { $0.call < $1.call }
    if name.hasPrefix("thunk for "), trap.kind == .entry {
      return ways.map { function(in: $0, trap, kind: .function) }
    }
    if ways.isEmpty {
      // Unoptimized copies of closures remain in the program although nothing refers to them.
      return SwiftSymbol(trap.function.name).isUnused(isReferenced: isReferenced, readable: name)
        ? [] : [place(of: trap, nil)]
    }
    return ways.compactMap { way in
      // The closure of assumeIsolated checks again what assumeIsolated has checked.
      if trap.kind == .entry, way.trail.last?.contains("assumeIsolated") == true { return nil }
      // The linker merged equal closures: only the call tells them apart.
      return ways.count > 1 && trap.line == nil
        ? function(in: way, trap, kind: kind(of: trap)) : place(of: trap, way)
    }
  }

  private mutating func place(of trap: Trap, _ way: Tracer.Arrival?) -> AuditedPlace {
    var place = AuditedPlace(
      kind: kind(of: trap), rank: way.map { rank($0, trap) } ?? .here,
      function: code.readable(trap.function.name), file: trap.file, line: trap.line,
      actor: trap.actor)
    locate(&place, at: trap)
    if case .assumption(let check) = trap.kind { place.check = check }
    if let way { describe(way, in: &place) }
    if trap.kind == .queue, place.rank == .elsewhere { place.rank = .kept }
    return place
  }

  private func kind(of trap: Trap) -> AuditedPlace.Kind {
    switch trap.kind {
    case .entry: .closure
    case .assumption: .assumption
    case .queue: .queue
    case .library: .library
    }
  }

  private func rank(_ arrival: Tracer.Arrival, _ trap: Trap) -> AuditedPlace.Rank {
    switch arrival.place {
    case .elsewhere: .elsewhere
    case .mainQueue: trap.isOfMainActor ? .here : .elsewhere
    case .kept: .kept
    case .here: .here
    }
  }

  private mutating func describe(_ arrival: Tracer.Arrival, in place: inout AuditedPlace) {
    place.trail = arrival.trail
    place.call = position(of: arrival.call, in: arrival.origin)
    switch arrival.place {
    case .elsewhere(let api): place.reason = api.rule
    case .kept(let api): place.reason = api?.rule
    case .mainQueue: place.reason = "it is called on the main queue"
    case .here: break
    }
  }

  /// The place of an instruction: the innermost function with a line, and the innermost known file.
  private mutating func position(of address: UInt64, in function: LinkedFile.Function) -> CodePlace?
  {
    let frames = symbolicator.frames(at: .instruction(address), in: module)
    let name = code.readable(function.name)
    let place = frames.first { !$0.isGenerated && $0.line != nil }
    return CodePlace(
      function: name, module: module.name, file: place?.file, line: place?.line)
  }

  /// Sets the function, the file and the line of a trap.
  private mutating func locate(_ place: inout AuditedPlace, at trap: Trap) {
    let frames = symbolicator.frames(at: .instruction(trap.address), in: module)
      .filter { !SystemCode.contains($0.mangledName) && !$0.isGenerated }
    let base = trap.file?.split(separator: "/").last.map(String.init)
    let match = frames.first { frame in
      guard let base else { return frame.line != nil }
      return frame.file?.hasSuffix("/" + base) == true || frame.file == base
    }
    if let path = match?.file { place.file = path }
    if place.line == nil { place.line = match?.line }
    if let inlined = frames.first, inlined.isInlined { place.function = inlined.function }
    for prefix in ["partial apply for ", "specialized ", "merged ", "generic specialized "] {
      if place.function.hasPrefix(prefix) { place.function.removeFirst(prefix.count) }
    }
  }

  /// A place that is known only by the call that takes the function.
  private mutating func function(
    in arrival: Tracer.Arrival, _ trap: Trap, kind: AuditedPlace.Kind
  ) -> AuditedPlace {
    var place = AuditedPlace(
      kind: kind, rank: rank(arrival, trap), function: code.readable(arrival.origin.name),
      actor: trap.actor)
    if kind != .function { place.function = "a closure in " + place.function }
    if case .assumption(let check) = trap.kind { place.check = check }
    describe(arrival, in: &place)
    place.file = place.call?.file
    place.line = place.call?.line
    return place
  }

  private mutating func witness(of trap: Trap, _ name: String) -> AuditedPlace {
    // protocol witness for FiveDelegate.done(_:) in conformance Model
    var place = AuditedPlace(
      kind: .witness, rank: .kept, function: name, file: trap.file, line: trap.line,
      actor: trap.actor)
    locate(&place, at: trap)
    let text = name.replacing("protocol witness for ", with: "")
    let parts = text.split(separator: " in conformance ", maxSplits: 1).map(String.init)
    place.function = parts[0]
    let type = parts.count > 1 ? parts[1] : ""
    let requirement = parts[0].prefix { $0 != "(" && $0 != "<" }
    let protocolName = requirement.split(separator: ".").dropLast().joined(separator: ".")
    place.conformance = (protocolName, type)
    let last = parts[0].dropFirst(protocolName.isEmpty ? 0 : protocolName.count + 1)
    let rule = CallbackRules.rules(forCallback: String(last))
      .first { $0.place == .any || $0.place == .queue }
    if let rule {
      place.rank = .elsewhere
      place.reason = "\(rule.api): \(rule.rule)"
    }
    return place
  }

  /// Replaces `App/Model.swift` by the path of the only known file of this name.
  private func completed(_ places: [AuditedPlace]) -> [AuditedPlace] {
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
  private func merged(_ places: [AuditedPlace]) -> [AuditedPlace] {
    var best: [String: AuditedPlace] = [:]
    for place in places {
      let key =
        "\(place.kind) \(place.function) \(place.file ?? "") \(place.line ?? 0) \(place.check ?? "")"
      if let known = best[key], known.rank <= place.rank { continue }
      best[key] = place
    }
    let assumed = Set(best.values.filter { $0.kind == .assumption }.map(\.line))
    return best.values.filter { place in
      // The optimizer calls the closure of assumeIsolated, which checks again, without assumeIsolated.
      place.kind != .closure || place.rank != .here || !place.trail.isEmpty || place.line == nil
        || !assumed.contains(place.line)
    }.sorted {
      ($0.rank, $0.file ?? "", $0.line ?? 0, $0.function)
        < ($1.rank, $1.file ?? "", $1.line ?? 0, $1.function)
    }
  }
}
