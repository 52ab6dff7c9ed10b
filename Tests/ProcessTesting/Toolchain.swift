import Foundation

/// What tests ask of the compiler that built them, and of its libraries.
package enum Toolchain {
  /// Whether the words of a compiler, and what it says of Foundation, are those that tests hold to the letter.
  package static var speaksAsExpected: Bool {
    #if compiler(>=6.3)
      true
    #else
      false
    #endif
  }

  /// Whether Swift's own libraries carry build ids, and the names of functions that only they call. Debian's do not.
  package static let hasWholeLibraries: Bool = {
    let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    let line = maps?.split(separator: "\n").first { $0.hasSuffix("/libdispatch.so") }
    guard let path = line?.drop(while: { $0 != "/" }),
      let file = FileManager.default.contents(atPath: String(path))
    else { return false }
    return file.range(of: Data("__DISPATCH_WAIT_FOR_QUEUE__".utf8)) != nil
  }()
}
