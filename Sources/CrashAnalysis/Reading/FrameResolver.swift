import IncidentModel

/// Turns the addresses of stacks into named frames, each address once.
final class FrameResolver {
  private struct Key: Hashable {
    var address: FrameAddress
    var module: Int
  }

  private var symbols: (any SymbolSource)?
  private let classifier: FrameClassifier
  private var modules = ModuleMap([])
  private var names: FrameNames?
  private var known: [Key: [Frame]] = [:]

  /// A log that is made to have more distinct addresses than any program has makes no more memory.
  private let mostKnown = 1 << 18

  init(symbols: (any SymbolSource)?, patterns: UIPatterns) {
    self.symbols = symbols
    classifier = FrameClassifier(patterns: patterns)
  }

  /// Takes the modules of another input, and the names that it gives its frames itself.
  func begin(_ seen: [SeenModule], _ names: FrameNames? = nil) {
    modules = ModuleMap(seen)
    self.names = names
    known.removeAll(keepingCapacity: true)
  }

  /// The frames of a stack, innermost first, with those that inlining has put together apart.
  func frames(at addresses: [FrameAddress], when monotonic: UInt64) -> [Frame] {
    var frames = addresses.flatMap { self.frames(at: $0, when: monotonic) }
    for place in frames.indices { standIn(at: place, in: &frames) }
    return frames
  }

  /// What only applies a closure may be all that the optimizer left of it: then it is the closure.
  private func standIn(at place: Int, in frames: inout [Frame]) {
    let mark = "partial apply for "
    guard frames[place].role == .runtime, frames[place].place.function.hasPrefix(mark) else {
      return
    }
    let applied = String(frames[place].place.function.dropFirst(mark.count))
    guard applied.hasPrefix("closure #") else { return }
    let isThere = place > 0 && frames[place - 1].place.function == applied
    // A library's own closure is not the program's.
    let module = frames[place].place.module
    guard !isThere, classifier.role(function: applied, modules: [module]) == .code else { return }
    frames[place].place.function = applied
    frames[place].role = .code
    frames[place].traits = traits(of: frames[place].place)
  }

  /// Whether one of the frames of a stack belongs to a UI framework.
  func isInUIFramework(_ addresses: [FrameAddress], when monotonic: UInt64) -> Bool {
    addresses.contains { address in
      frames(at: address, when: monotonic).contains {
        if case .ui = $0.role { true } else { false }
      }
    }
  }

  private func frames(at address: FrameAddress, when monotonic: UInt64) -> [Frame] {
    let module = modules.index(at: address.lookup, when: monotonic)
    let key = Key(address: address, module: module ?? -1)
    if let frames = known[key] { return frames }
    if known.count >= mostKnown { known.removeAll(keepingCapacity: true) }
    let frames = resolve(address, module.map { modules[$0] })
    known[key] = frames
    return frames
  }

  private func resolve(_ address: FrameAddress, _ module: Module?) -> [Frame] {
    if let named = names?[address] { return [frame(named)] }
    guard let module else { return [unnamed("0x" + hexadecimal(address.recorded), in: "?")] }
    let found = withLine(symbols?.frames(at: address, in: module) ?? [], address, module)
    if found.isEmpty {
      let offset = address.recorded &- module.loadBias
      return [unnamed("\(module.name)+0x\(hexadecimal(offset))", in: module.name)]
    }
    return found.map { frame(named: $0, in: module) }
  }

  /// The same frames; where the compiler gave an instruction no line, as it does between two statements,
  /// the function has that of the nearest ones.
  private func withLine(
    _ frames: [SourceFrame], _ address: FrameAddress, _ module: Module
  ) -> [SourceFrame] {
    guard let function = frames.last, let file = function.file, function.line ?? 0 == 0,
      !file.hasPrefix("<")
    else { return frames }
    for distance in stride(from: 4, through: Self.reach, by: 4) {
      for place in [address.lookup &- distance, address.lookup &+ distance] {
        guard let same = symbols?.frames(at: .instruction(place), in: module).last,
          same.mangledName == function.mangledName, same.file == file, let line = same.line,
          line > 0
        else { continue }
        var frames = frames
        frames[frames.count - 1].line = line
        return frames
      }
    }
    return frames
  }

  /// How many bytes of code away an instruction may have its line.
  private static let reach: UInt64 = 160

  private func frame(named source: SourceFrame, in module: Module) -> Frame {
    let swiftModule = Self.swiftModule(of: source.mangledName)
    let modules = [swiftModule, module.name].compactMap { $0 }
    var frame = Frame(
      place: CodePlace(
        function: readableFunction(source.function), module: swiftModule ?? module.name,
        file: source.file, line: source.line),
      role: classifier.role(
        function: source.function, modules: modules, source: source.file),
      isInlined: source.isInlined, isNamed: true)
    if frame.role == .code { frame.traits = traits(of: frame.place) }
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
      function: source.function, modules: [swiftModule, named.module].compactMap { $0 })
    return Frame(
      place: CodePlace(
        function: readableFunction(source.function), module: swiftModule ?? named.module,
        file: source.file, line: source.line),
      role: role == .code ? named.role ?? role : role, isInlined: source.isInlined,
      isNamed: named.isNamed)
  }

  private func unnamed(_ function: String, in module: String) -> Frame {
    Frame(
      place: CodePlace(function: function, module: module),
      role: classifier.role(function: "", modules: [module]), isInlined: false, isNamed: false)
  }

  private func hexadecimal(_ number: UInt64) -> String { String(number, radix: 16) }

  /// The module that a mangled Swift name begins with.
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

/// Names for addresses: what the analysis asks of a symbolicator.
package protocol SymbolSource {
  /// The functions at an address, innermost first; empty where nothing is known.
  mutating func frames(at address: FrameAddress, in module: Module) -> [SourceFrame]
}
