import Foundation
import Glibc

/// What tests ask of the compiler that built them, and of its libraries.
package enum Toolchain {
  /// Whether the symbol graph of a module says which closures are `@Sendable`. That of 6.0 does not.
  package static var graphsSaySendable: Bool {
    #if compiler(>=6.3)
      true
    #else
      false
    #endif
  }

  /// Whether `abort` opens SIGABRT for its thread: from glibc 2.41 on it calls no handler of a signal that is blocked.
  package static var abortOpensItsSignal: Bool {
    typealias Version = @convention(c) () -> UnsafePointer<CChar>
    guard let address = dlsym(nil, "gnu_get_libc_version") else { return true }
    let version = String(cString: unsafeBitCast(address, to: Version.self)())
    return version.compare("2.41", options: .numeric) == .orderedAscending
  }

  /// Whether Swift's own libraries carry build ids, and the names of functions that only they call. Debian's do not.
  package static let hasWholeLibraries: Bool = {
    // By its size, an older Foundation takes it to be empty.
    let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
    let lines = String(decoding: maps ?? Data(), as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasSuffix("/libdispatch.so") }
    guard let path = line?.drop(while: { $0 != "/" }),
      let file = FileManager.default.contents(atPath: String(path))
    else { return true }
    return file.range(of: Data("__DISPATCH_WAIT_FOR_QUEUE__".utf8)) != nil
  }()
}
