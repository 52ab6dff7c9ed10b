import IncidentModel

/// Reads the addresses of stacks as classified frames; each address is read once.
final class FrameReader {
  private var resolver: FrameResolver
  private let classifier: FrameClassifier
  private var known: [FrameResolver.Place: [Frame]] = [:]
  /// By the path of a module: true if a frame of the module has a name.
  private var hasNames: [String: Bool] = [:]

  /// The maximum number of cached addresses, which bounds the memory for malformed logs; programs
  /// have fewer.
  private let mostKnown = 1 << 18

  init(symbols: (any SymbolSource)?, patterns: UIPatterns) {
    resolver = FrameResolver(symbols: symbols)
    classifier = FrameClassifier(patterns: patterns)
  }

  /// Sets the modules of another input, and the frame names that the input itself contains.
  func begin(_ seen: [SeenModule], _ names: FrameNames? = nil) {
    resolver.begin(seen, names)
    known.removeAll(keepingCapacity: true)
    hasNames.removeAll(keepingCapacity: true)
  }

  /// The paths of modules without symbols, sorted; system modules are omitted.
  var unnamedModules: [String] {
    let unnamed = hasNames.lazy.filter { path, has in
      !has && !Module.isOfTheSystem(path: path) && !path.hasPrefix("[")
    }
    return unnamed.map { $0.key }.sorted()
  }

  /// Returns the frames of a stack, innermost first, with inlined frames expanded.
  func frames(at addresses: [FrameAddress], when monotonic: UInt64) -> [Frame] {
    var frames = addresses.flatMap { self.frames(at: $0, when: monotonic) }
    if beginsInStub(frames, addresses, monotonic) { frames[0].role = .runtime }
    for place in frames.indices { standIn(at: place, in: &frames) }
    MacroExpansion.hide(in: &frames)
    return frames
  }

  /// True if the innermost frame is a linker stub, in which a thread may be interrupted on its way
  /// to another module. A stub has no name, although the function that calls it, in the same
  /// module, has one.
  private func beginsInStub(
    _ frames: [Frame], _ addresses: [FrameAddress], _ monotonic: UInt64
  ) -> Bool {
    guard addresses.count > 1, !frames[0].isNamed, frames[0].role == .code, frames[1].isNamed,
      frames[1].role == .code
    else { return false }
    let places = addresses.prefix(2).map { resolver.place(of: $0, when: monotonic) }
    return places[0].isBeside(places[1])
  }

  /// Makes a partial application represent its closure if the optimizer left no other frame of the
  /// closure.
  private func standIn(at place: Int, in frames: inout [Frame]) {
    let mark = "partial apply for "
    guard frames[place].role == .runtime, frames[place].place.function.hasPrefix(mark) else {
      return
    }
    let applied = String(frames[place].place.function.dropFirst(mark.count))
    guard applied.hasPrefix("closure #") else { return }
    let isThere = place > 0 && frames[place - 1].place.function == applied
    // A library's closure is not own code.
    let module = frames[place].place.module
    guard !isThere, classifier.role(function: applied, modules: [module]) == .code else { return }
    frames[place].place.function = applied
    frames[place].role = .code
    frames[place].traits = traits(of: frames[place].place)
  }

  /// True if one of the frames of a stack belongs to a UI framework.
  func isInUIFramework(_ addresses: [FrameAddress], when monotonic: UInt64) -> Bool {
    addresses.contains { address in
      frames(at: address, when: monotonic).contains {
        if case .ui = $0.role { true } else { false }
      }
    }
  }

  private func frames(at address: FrameAddress, when monotonic: UInt64) -> [Frame] {
    let place = resolver.place(of: address, when: monotonic)
    if let frames = known[place] { return frames }
    if known.count >= mostKnown { known.removeAll(keepingCapacity: true) }
    var frames = read(resolver.frame(at: place))
    for place in frames.indices { frames[place].isAwaiting = address.isAsyncCaller }
    known[place] = frames
    return frames
  }

  private func read(_ resolved: ResolvedFrame) -> [Frame] {
    if let given = resolved.given { return [frame(given)] }
    guard let module = resolved.module else { return [unnamed(resolved.nameless, in: "?")] }
    hasNames[module.path] = hasNames[module.path] ?? false || !resolved.functions.isEmpty
    if resolved.functions.isEmpty { return [unnamed(resolved.nameless, in: module.name)] }
    return resolved.functions.map { frame(named: $0, in: module) }
  }

  private func frame(named source: SourceFrame, in module: Module) -> Frame {
    let swiftModule = Self.swiftModule(of: source.mangledName)
    let modules = [swiftModule, module.name].compactMap { $0 }
    // The function that destroys a closure's captures has no name in a build with line tables only.
    let isNameless = source.isGenerated && source.function == SourceFrame.unknown.function
    let role =
      isNameless
      ? .runtime
      : classifier.role(function: source.function, modules: modules, source: source.file)
    var frame = Frame(
      place: CodePlace(
        function: readableFunction(source.function), module: swiftModule ?? module.name,
        file: source.isGenerated ? nil : source.file, line: source.line),
      role: role, isInlined: source.isInlined, isNamed: !isNameless)
    if frame.role == .code { frame.traits = traits(of: frame.place) }
    frame.isAfterAwait = source.isAfterAwait
    frame.isOfClass = source.isOfClass
    return frame
  }

  private func traits(of place: CodePlace) -> Frame.Traits {
    let name = FunctionName(place.function)
    var traits = Frame.Traits()
    traits.isClosure = name.isClosure
    traits.parent = name.parent
    traits.owner = "\(place.module) \(name.type)"
    traits.soundsLikeDelegate = name.soundsLikeDelegate
    return traits
  }

  private func frame(_ named: FrameNames.Named) -> Frame {
    let source = named.source
    let swiftModule = Self.swiftModule(of: source.mangledName)
    let role = classifier.role(
      function: source.function, modules: [swiftModule, named.module].compactMap { $0 },
      source: source.file)
    var frame = Frame(
      place: CodePlace(
        function: readableFunction(source.function), module: swiftModule ?? named.module,
        file: source.file, line: source.line),
      // Code that a report marks as the program's is own code, whatever its name.
      role: role == .code || named.role == .code ? named.role ?? role : role,
      isInlined: source.isInlined,
      isNamed: named.isNamed)
    frame.isAfterAwait = source.isAfterAwait
    frame.isOfClass = source.isOfClass
    return frame
  }

  private func unnamed(_ function: String, in module: String) -> Frame {
    Frame(
      place: CodePlace(function: function, module: module),
      role: classifier.role(function: "", modules: [module]), isInlined: false, isNamed: false)
  }

  /// Returns the module at the beginning of a mangled Swift name.
  private static func swiftModule(of mangled: String) -> String? {
    guard mangled.hasPrefix("$s") else { return nil }
    let rest = mangled.utf8.dropFirst(2)
    if rest.starts(with: "Sc".utf8) { return "_Concurrency" }
    if rest.first == UInt8(ascii: "s") || rest.first == UInt8(ascii: "S") { return "Swift" }
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard let length = Int(Substring(digits)), length > 0 else { return nil }
    let name = rest.dropFirst(digits.count)
    return name.count >= length ? String(Substring(name.prefix(length))) : nil
  }
}
