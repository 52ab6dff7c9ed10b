import IncidentModel

/// Symbolicates addresses of an input: by the names in the input itself, else by the files of its
/// modules.
package struct FrameResolver {
  /// An address in the module that was loaded there at the time.
  package struct Place: Hashable {
    package let address: FrameAddress
    fileprivate let module: Int?

    /// True if both addresses are in the same known module.
    package func isBeside(_ other: Place) -> Bool { module != nil && module == other.module }
  }

  private var symbols: (any SymbolSource)?
  private var modules = ModuleMap([])
  private var names: FrameNames?

  package init(symbols: (any SymbolSource)?) { self.symbols = symbols }

  /// Sets the modules of another input, and the frame names that the input itself contains.
  package mutating func begin(_ seen: [SeenModule], _ names: FrameNames? = nil) {
    modules = ModuleMap(seen)
    self.names = names
  }

  /// Returns an address with the module that was loaded there at a time of the monotonic clock.
  package func place(of address: FrameAddress, when monotonic: UInt64) -> Place {
    Place(address: address, module: modules.index(at: address.lookup, when: monotonic))
  }

  /// Returns the functions at a place, without caching.
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

  /// Returns the reason why a module has no symbols, or no line numbers; nil if it has both.
  package mutating func shortcoming(of module: Module) -> String? {
    symbols?.shortcoming(of: module)
  }

  /// Returns the frames with the line of a nearby instruction of the same function if the
  /// instruction has no line. The compiler omits lines between statements and for generated code.
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

  /// The maximum distance in bytes to an instruction with a line.
  private static let reach: UInt64 = 160
}

/// A symbolicated stack frame: its module, and the functions at its address.
package struct ResolvedFrame: Sendable {
  package let address: FrameAddress
  package let module: Module?
  /// The functions, innermost first; all but the last are inlined. Empty if unknown.
  package fileprivate(set) var functions: [SourceFrame] = []
  /// The frame's name in the input itself; nil if it has none.
  package fileprivate(set) var given: FrameNames.Named?
  /// The number of leading functions that belong to the recorder.
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

/// A source of function names and lines for addresses.
package protocol SymbolSource {
  /// The functions at an address, innermost first; empty if unknown.
  mutating func frames(at address: FrameAddress, in module: Module) -> [SourceFrame]

  /// Returns the reason why a module has no symbols, or no line numbers; nil if it has both.
  mutating func shortcoming(of module: Module) -> String?
}

extension SymbolSource {
  package func shortcoming(of module: Module) -> String? { nil }
}
