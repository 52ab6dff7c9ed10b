import ThreadAffinity

internal import CRecorder

/// Symbolicates stacks of this process from symbol tables, for tests that do not link
/// `CrashTesting`.
enum SymbolNames {
  /// Returns the frames of the program and its libraries without system libraries, innermost first.
  static func frames(_ stack: [UInt]) -> [StackFrame] {
    stack.compactMap { FrameCode(of: $0).flatMap(frame) }
  }

  private static func frame(of code: FrameCode) -> StackFrame? {
    guard !isOfSystem(code.module), let symbol = code.symbol else { return nil }
    // The compiler emits functions of the standard library into the program.
    if ms_own_interposer(symbol) || symbol.hasPrefix("$ss") { return nil }
    // A local C function may belong to this library.
    guard code.function != nil || code.isExported else { return nil }
    return StackFrame(
      function: code.function ?? symbol, mangledName: symbol, file: nil, line: nil)
  }

  /// The directories of the Swift runtime and of libc.
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
}
