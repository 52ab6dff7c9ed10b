import CrashAnalysis
import IncidentModel
import Symbolication

extension Audit {
  mutating func places(
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
  func origins(of way: Tracer.Arrival, depth: Int) -> [Tracer.Arrival] {
    guard depth > 0, isThunk(code.readable(way.origin.name)) else { return [way] }
    let callers = code.references(to: way.origin.address).compactMap {
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

  func isThunk(_ name: String) -> Bool {
    ["thunk for ", "partial apply for thunk for ", "specialized thunk for "]
      .contains(where: name.hasPrefix)
  }

  func isClosure(_ name: String) -> Bool {
    ["closure #", "partial apply for ", "implicit closure #", "thunk for "]
      .contains(where: name.hasPrefix)
  }

  mutating func place(of trap: Trap, _ way: Tracer.Arrival?) -> AuditedPlace {
    var place = AuditedPlace(
      kind: kind(of: trap), rank: way.map { rank($0, trap) } ?? .here,
      function: code.readable(trap.function.name), file: trap.file, line: trap.line,
      actor: trap.actor)
    place.instanceActor = instanceActor(of: trap)
    locate(&place, at: trap)
    if case .assumption(let check) = trap.kind { place.check = check }
    if let way { describe(way, in: &place) }
    return place
  }

  /// The actor that the function with an entry check is a member of, unless a global actor isolates it.
  func instanceActor(of trap: Trap) -> String? {
    trap.kind == .entry && trap.actor == nil ? classes.actor(ofMember: trap.function.name) : nil
  }

  func kind(of trap: Trap) -> AuditedPlace.Kind {
    switch trap.kind {
    case .entry: .closure
    case .assumption: .assumption
    case .queue: .queue
    case .library: .library
    }
  }

  func rank(_ arrival: Tracer.Arrival, _ trap: Trap) -> AuditedPlace.Rank {
    switch arrival.place {
    // The queue of a precondition is unknown; most often it is the one that the closure is sent to.
    case .elsewhere: trap.kind == .queue ? .kept : .elsewhere
    case .mainQueue: trap.isOfMainActor ? .here : .elsewhere
    case .kept: .kept
    case .here: .here
    }
  }

  mutating func describe(_ arrival: Tracer.Arrival, in place: inout AuditedPlace) {
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
  func trail(of arrival: Tracer.Arrival) -> [String] {
    let own = code.readable(arrival.origin.name)
    var trail: [String] = []
    for name in arrival.trail where name != own && name != trail.last {
      if !isThunk(name) { trail.append(name.replacing("specialized ", with: "")) }
    }
    return trail.isEmpty ? arrival.trail.suffix(1) : trail
  }

  /// The place of a call in the program's source. The compiler gives some of a statement's instructions no line, and
  /// moves code into functions of other names; then an earlier instruction of the function shows the place.
  mutating func position(of address: UInt64, in function: LinkedFile.Function) -> CodePlace? {
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
  mutating func locate(_ place: inout AuditedPlace, at trap: Trap) {
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
  mutating func function(
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
  mutating func name(
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

  mutating func witness(of trap: Trap, _ name: String) -> AuditedPlace {
    // protocol witness for FiveDelegate.done(_:) in conformance Model
    var place = AuditedPlace(
      kind: .witness, rank: .kept, function: name, file: trap.file, line: trap.line,
      actor: trap.actor)
    place.instanceActor = instanceActor(of: trap)
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
}
