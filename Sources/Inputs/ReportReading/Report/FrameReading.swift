import CLogFormat
import IncidentModel

/// Assigns stand-in addresses to the frames of a report, and collects the names of the frames.
struct FrameReading {
  private(set) var names = FrameNames()
  private var addresses: [CrashReport.Frame: UInt64] = [:]
  private let ownImages: Set<String>

  init(ownImages: Set<String>) { self.ownImages = ownImages }

  /// A stack of `frames`, innermost first.
  mutating func stack(of frames: [CrashReport.Frame]) -> Stack {
    let addresses = frames.map { frame in FrameAddress.instruction(address(of: frame)) }
    return Stack(frames: addresses, end: .complete)
  }

  private mutating func address(of frame: CrashReport.Frame) -> UInt64 {
    if let known = addresses[frame] { return known }
    let address = UInt64(addresses.count) + 1
    addresses[frame] = address
    names.add(named(frame), at: address)
    return address
  }

  private func named(_ frame: CrashReport.Frame) -> FrameNames.Named {
    let symbol = Symbol(frame.symbol, image: frame.image)
    let unnamed = frame.symbol.isEmpty ? hexadecimal(frame.address) : symbol.readable
    let function = symbol.isName ? symbol.readable : unnamed
    var source = SourceFrame(
      function: function, mangledName: symbol.mangled, file: frame.file,
      line: frame.line == 0 ? nil : frame.line,
      isInlined: frame.isInlined)
    let isGenerated = source.isGenerated
    if isGenerated { (source.file, source.line) = (nil, nil) }
    return FrameNames.Named(
      source: source, module: frame.image.isEmpty ? "?" : frame.image, isNamed: symbol.isName,
      role: isGenerated ? .runtime : role(frame, symbol))
  }

  /// True if the name of a frame shows the program's own code.
  func isOwn(_ frame: CrashReport.Frame) -> Bool {
    let symbol = Symbol(frame.symbol, image: frame.image)
    let role = role(frame, symbol)
    return symbol.isName && (role == nil || role == .code)
  }

  /// The role of a frame. Code with a hidden name may be the program's or a library's, so such code
  /// has no role.
  private func role(_ frame: CrashReport.Frame, _ symbol: Symbol) -> Frame.Role? {
    if !symbol.isName, isHidden(frame, symbol) { return .runtime }
    if Self.entries.contains(symbol.readable) { return .runtime }
    if frame.isManaged, Self.bridges.contains(where: symbol.readable.contains) { return .runtime }
    if Self.locks.contains(symbol.readable) { return .library }
    // A program's category on a system class belongs to the program.
    if symbol.isCategory, isProgram(frame) { return .code }
    if frame.image.isEmpty, frame.isOwn == nil, frame.file == nil,
      ForeignCode.isApple(function: symbol.readable)
    {
      return .library
    }
    if ForeignCode.isLibrary(function: symbol.readable, image: frame.image) { return .library }
    if isSystemExtension(frame, symbol) { return .library }
    // A script may have a function with the name of a C library function, such as `read`.
    if let isOwn = frame.isOwn {
      return isOwn ? ms_own_interposer(symbol.readable) ? .code : nil : .library
    }
    if ownImages.contains(frame.image) { return nil }
    return ForeignCode.isSystem(image: frame.image, path: frame.path) ? .library : nil
  }

  /// True if a frame is in one of the program's own images, whatever the frame's symbol.
  func isProgram(_ frame: CrashReport.Frame) -> Bool {
    ownImages.contains(frame.image)
      || frame.isOwn != false && !frame.image.isEmpty
        && !ForeignCode.isSystem(image: frame.image, path: frame.path)
        && !ForeignCode.isLibrary(function: "", image: frame.image)
  }

  /// True for a function of a system class that Swift compiled into the program, such as
  /// `NSManagedObjectContext.fetch<A>(_:)`: the report gives no source position for such a function.
  private func isSystemExtension(_ frame: CrashReport.Frame, _ symbol: Symbol) -> Bool {
    frame.file == nil && symbol.readable.contains("<A")
      && ["NS", "UI"].contains(where: symbol.readable.hasPrefix)
  }

  /// The entry points of a process, which are outside the program's own code.
  private static let entries: Set<String> = [
    "main", "start", "_start", "_dyld_start", "start_sim", "UIApplicationMain", "NSApplicationMain",
    "static App.main()", "static App.$main()",
  ]

  /// Parts of the names of bridge functions that Java and Kotlin compilers insert between a call
  /// and a lambda.
  private static let bridges = [
    "$$ExternalSyntheticLambda", "$$Lambda", ".access$", "-$$Nest$", "$r8$lambda$",
    "$$InternalSynthetic",
  ]

  /// WebKit functions that check the calling thread. Old reports name no image for them.
  private static let locks: Set<String> = ["WebThreadLock", "_WebThreadLock", "_WebTryThreadLock"]

  private func isHidden(_ frame: CrashReport.Frame, _ symbol: Symbol) -> Bool {
    frame.image.isEmpty || frame.image == "???" || symbol.readable.hasPrefix("<")
      || symbol.readable.hasSuffix("_mh_execute_header") || symbol.readable.hasPrefix("__hidden#")
      || Symbol.isUUID(symbol.readable)
  }

  private func hexadecimal(_ address: UInt64) -> String { "0x" + String(address, radix: 16) }
}
