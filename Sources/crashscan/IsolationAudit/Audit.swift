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
    }
    return merged(completed(found))
  }

  // MARK: Ways

  /// The code that receives a function with a trap.
  private struct Ways {
    var arrivals: [Tracer.Arrival]
    /// True if code takes the address of the function.
    var isMentioned: Bool
    /// True if the witness of a conformance calls the function.
    var isInWitness: Bool
  }

  /// Follows the functions with traps to the code that receives them. The result has the arrivals of each trap, by
  /// its index.
  private func ways(of traps: [Trap]) -> [Int: Ways] {
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
    of trap: Trap, _ all: Ways, isReferenced: Bool
  ) -> [AuditedPlace] {
    let name = code.readable(trap.function.name)
    // An isolated deinit changes to its actor before it checks.
    if trap.kind == .entry, name.hasSuffix("deinit") { return [] }
    if trap.kind == .entry, SwiftSymbol(trap.function.name).isWitness {
      return [witness(of: trap, name)]
    }
    // A direct call hands nothing over.
    let arrivals = all.arrivals.filter { !$0.trail.isEmpty && $0.trail.last != "__libc_start_main" }
    let ways = Dictionary(grouping: arrivals, by: \.call).values.compactMap { way in
      way.min { rank($0, trap) < rank($1, trap) }
    }.sorted { $0.call < $1.call }
    if isThunk(name), trap.kind == .entry {
      return ways.flatMap { origins(of: $0, depth: 3) }
        .map { function(in: $0, trap, kind: .function) }
    }
    if ways.isEmpty, all.isMentioned, name != "main",
      !SwiftSymbol(trap.function.name).isAsyncPart
    {
      var place = place(of: trap, nil)
      (place.rank, place.trail) = (.kept, [Tracer.unknownReceiver])
      return [place]
    }
    // An override, a witness or a method of an open class: the callers are unknown.
    if ways.isEmpty, isReferenced || all.isInWitness, !isClosure(name) {
      var place = place(of: trap, nil)
      (place.rank, place.reason) = (
        .kept, "its callers may be anywhere: other code refers to it as a method"
      )
      return [place]
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

  /// The ways from the functions that call a merged function; the way itself if its origin is not merged.
  private func origins(of way: Tracer.Arrival, depth: Int) -> [Tracer.Arrival] {
    guard depth > 0, isThunk(code.readable(way.origin.name)) else { return [way] }
    let callers = code.references(to: [way.origin.address]).compactMap {
      reference -> Tracer.Arrival? in
      guard let function = code.file.function(containing: reference.place),
        function.address != way.origin.address
      else { return nil }
      var outer = way
      (outer.origin, outer.call) = (function, reference.place)
      return outer
    }
    return callers.isEmpty ? [way] : callers.flatMap { origins(of: $0, depth: depth - 1) }
  }

  private func isThunk(_ name: String) -> Bool {
    ["thunk for ", "partial apply for thunk for ", "specialized thunk for "]
      .contains(where: name.hasPrefix)
  }

  private func isClosure(_ name: String) -> Bool {
    ["closure #", "partial apply for ", "implicit closure #", "thunk for "]
      .contains(where: name.hasPrefix)
  }

  private mutating func place(of trap: Trap, _ way: Tracer.Arrival?) -> AuditedPlace {
    var place = AuditedPlace(
      kind: kind(of: trap), rank: way.map { rank($0, trap) } ?? .here,
      function: code.readable(trap.function.name), file: trap.file, line: trap.line,
      actor: trap.actor)
    locate(&place, at: trap)
    if case .assumption(let check) = trap.kind { place.check = check }
    if let way { describe(way, in: &place) }
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
    // The queue of a precondition is unknown; most often it is the one that the closure is sent to.
    case .elsewhere: trap.kind == .queue ? .kept : .elsewhere
    case .mainQueue: trap.isOfMainActor ? .here : .elsewhere
    case .kept: .kept
    case .here: .here
    }
  }

  private mutating func describe(_ arrival: Tracer.Arrival, in place: inout AuditedPlace) {
    place.trail = trail(of: arrival)
    place.call = position(of: arrival.call, in: arrival.origin)
    switch arrival.place {
    case .elsewhere(let api): place.reason = api.rule
    case .kept(let api): place.reason = api?.rule
    case .mainQueue: place.reason = "it is called on the main queue"
    case .here: break
    }
  }

  /// The functions that receive a closure, without the function that creates it and without thunks: code that the
  /// optimizer moved or merged has the name of another function.
  private func trail(of arrival: Tracer.Arrival) -> [String] {
    let own = code.readable(arrival.origin.name)
    var trail: [String] = []
    for name in arrival.trail where name != own && name != trail.last {
      if !isThunk(name) { trail.append(name.replacing("specialized ", with: "")) }
    }
    return trail.isEmpty ? arrival.trail.suffix(1) : trail
  }

  /// The place of a call in the program's source. The compiler gives some of a statement's instructions no line, and
  /// moves code into functions of other names; then an earlier instruction of the function shows the place.
  private mutating func position(of address: UInt64, in function: LinkedFile.Function) -> CodePlace?
  {
    let operations = code.operations(of: function)
    let last = operations.firstIndex { $0.address == address } ?? 0
    for index in stride(from: last, through: max(0, last - 64), by: -1) {
      let at = index == last ? address : operations[index].address
      let frames = symbolicator.frames(at: .instruction(at), in: module)
      let place = frames.first {
        !$0.isGenerated && $0.line != nil && !SystemCode.contains($0.mangledName)
          && !isThunk($0.function)
      }
      if let place {
        return CodePlace(
          function: place.function, module: module.name, file: place.file, line: place.line)
      }
    }
    return CodePlace(function: code.readable(function.name), module: module.name)
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
    if case .assumption(let check) = trap.kind { place.check = check }
    describe(arrival, in: &place)
    if let call = place.call { place.function = call.function }
    place.file = place.call?.file
    place.line = place.call?.line
    if kind != .function {
      place.function = "a closure in " + place.function
    } else if let address = arrival.converted,
      let converted = code.file.function(containing: address)
    {
      name(converted.name, at: converted.address, in: &place)
    } else if let converted = SwiftSymbol(trap.function.name).specializedFor {
      name(converted, at: nil, in: &place)
    }
    return place
  }

  /// Names the function that was converted, and its line if the call has none.
  private mutating func name(
    _ converted: String, at address: UInt64?, in place: inout AuditedPlace
  ) {
    var name = code.readable(converted)
    for prefix in ["partial apply for ", "specialized "] where name.hasPrefix(prefix) {
      name.removeFirst(prefix.count)
    }
    while name.hasPrefix("implicit closure #"), let end = name.firstRange(of: " in ") {
      name = String(name[end.upperBound...])
    }
    place.function = name
    if place.line == nil, let address, let function = code.file.function(containing: address) {
      let own = position(of: address, in: function)
      (place.file, place.line) = (own?.file, own?.line)
    }
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
  private func key(of place: AuditedPlace) -> String {
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
