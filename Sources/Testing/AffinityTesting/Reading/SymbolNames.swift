import ThreadAffinity

internal import CRecorder

/// The functions on a stack of this process by its symbol tables, for tests that do not link `CrashTesting`.
enum SymbolNames {
  /// Returns the functions of the program and its libraries, without the system's, innermost first.
  static func frames(_ stack: [UInt]) -> [StackFrame] {
    stack.compactMap { word in
      let address = StackWord.address(of: word)
      // A return address may belong to the next function.
      return frame(around: StackWord.isAsyncCaller(word) ? address : address &- 1)
    }
  }

  private static func frame(around address: UInt) -> StackFrame? {
    let place = ms_code_at(address)
    guard let module = place.module.map({ String(cString: $0) }), !isOfSystem(module) else {
      return nil
    }
    let exported = place.function.map { String(cString: $0) }
    guard let name = exported ?? text(of: 2048, { ms_symbol_around(address, $0, $1) }) else {
      return nil
    }
    // The compiler puts functions of the standard library into the program.
    if ms_own_interposer(name) || name.hasPrefix("$ss") { return nil }
    if let function = text(of: 2048, { ms_code_demangle(name, $0, $1) }) {
      return StackFrame(function: function, mangledName: name, file: nil, line: nil)
    }
    // A local function of C may be one of this library's own.
    return exported.map { StackFrame(function: $0, mangledName: $0, file: nil, line: nil) }
  }

  /// The folders of the Swift runtime and of libc.
  private static let systemFolders: Set<Substring> = {
    let program = LoadedModules.program
    let modules = LoadedModules.all().map(\.path).filter { path in
      path != program
        && [
          "/libswiftCore.so", "/libswiftDispatch.so", "/libdispatch.so", "/libc.so.6",
          "/libTesting.so",
        ]
        .contains { path.hasSuffix($0) }
    }
    return Set(modules.map(folder))
  }()

  private static func isOfSystem(_ module: String) -> Bool {
    systemFolders.contains(folder(of: module))
  }

  private static func folder(of path: String) -> Substring {
    path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
  }

  private static func text(
    of room: Int, _ fill: (UnsafeMutablePointer<CChar>, Int) -> Bool
  ) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer in
      guard let start = buffer.baseAddress, fill(start, room) else { return nil }
      return String(cString: start)
    }
  }
}
