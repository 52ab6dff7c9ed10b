import IncidentModel

/// Names the functions that the addresses of an input's stacks stand for: by the names that the input
/// gives them itself, else by the files of its modules.
package struct FrameResolver {
  /// An address in the module that was there at the time.
  package struct Place: Hashable {
    package let address: FrameAddress
    fileprivate let module: Int?

    /// Whether both are in one module, which is known.
    package func isBeside(_ other: Place) -> Bool { module != nil && module == other.module }
  }

  private var symbols: (any SymbolSource)?
  private var modules = ModuleMap([])
  private var names: FrameNames?

  package init(symbols: (any SymbolSource)?) { self.symbols = symbols }

  /// Takes the modules of another input, and the names that it gives its frames itself.
  package mutating func begin(_ seen: [SeenModule], _ names: FrameNames? = nil) {
    modules = ModuleMap(seen)
    self.names = names
  }

  /// An address with its module at a time of the monotonic clock, which determine its meaning.
  package func place(of address: FrameAddress, when monotonic: UInt64) -> Place {
    Place(address: address, module: modules.index(at: address.lookup, when: monotonic))
  }

  /// The functions at a place; looked up each time.
  package mutating func frame(at place: Place) -> ResolvedFrame {
    var frame = ResolvedFrame(address: place.address, module: place.module.map { modules[$0] })
    if let named = names?[place.address] {
      frame.given = named
      frame.functions = [named.source]
    } else if let module = frame.module {
      frame.functions = withLine(
        symbols?.frames(at: place.address, in: module) ?? [], place.address, module)
    }
    return frame
  }

  /// The reason why a module's addresses have no names, or no lines; nil if they have both.
  package mutating func shortcoming(of module: Module) -> String? {
    symbols?.shortcoming(of: module)
  }

  /// The frames, with the line of the nearest instructions for a function whose instruction has none: the
  /// compiler gives none between two statements and for code that it generates inside a function.
  private mutating func withLine(
    _ frames: [SourceFrame], _ address: FrameAddress, _ module: Module
  ) -> [SourceFrame] {
    guard let function = frames.last, let file = function.file, function.line ?? 0 == 0
    else { return frames }
    for distance in stride(from: 4, through: Self.reach, by: 4) {
      for place in [address.lookup &- distance, address.lookup &+ distance] {
        guard let same = symbols?.frames(at: .instruction(place), in: module).last,
          same.mangledName == function.mangledName, let line = same.line, line > 0,
          let itsFile = same.file, Self.isMadeUp(file) ? !Self.isMadeUp(itsFile) : itsFile == file
        else { continue }
        var frames = frames
        frames[frames.count - 1].file = itsFile
        frames[frames.count - 1].line = line
        return frames
      }
    }
    return frames
  }

  private static func isMadeUp(_ file: String) -> Bool {
    (file.split(separator: "/").last ?? "").hasPrefix("<")
  }

  /// How many bytes of code away an instruction may have its line.
  private static let reach: UInt64 = 160
}

/// A frame of a stack: its module, and the functions that its address belongs to.
package struct ResolvedFrame: Sendable {
  package let address: FrameAddress
  package let module: Module?
  /// Innermost first; all but the last are inlined. Empty if unknown.
  package fileprivate(set) var functions: [SourceFrame] = []
  /// The name of the frame in the input itself.
  package fileprivate(set) var given: FrameNames.Named?
  /// How many of the first functions are the recorder's own.
  package var ownFunctionCount = 0

  fileprivate init(address: FrameAddress, module: Module?) {
    self.address = address
    self.module = module
  }

  /// The offset of the frame's code in its module's file; nil without a module.
  package var offset: UInt64? { module.map { address.recorded &- $0.loadBias } }

  /// The text for a frame without a name: `libc.so.6+0x9f3b`.
  package var nameless: String {
    guard let module, let offset else { return "0x" + String(address.recorded, radix: 16) }
    return "\(module.name)+0x" + String(offset, radix: 16)
  }
}

/// Names for addresses, and why there are none.
package protocol SymbolSource {
  /// The functions at an address, innermost first; empty if unknown.
  mutating func frames(at address: FrameAddress, in module: Module) -> [SourceFrame]

  /// The reason why a module's addresses have no names, or no lines; nil if they have both.
  mutating func shortcoming(of module: Module) -> String?
}

extension SymbolSource {
  package func shortcoming(of module: Module) -> String? { nil }
}
