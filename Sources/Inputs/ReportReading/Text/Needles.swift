import CReportText
import Glibc

/// A set of substrings for a simultaneous search.
///
/// The set never changes after its creation, so threads may share it.
final class Needles: @unchecked Sendable {
  private let set: OpaquePointer

  /// - Parameter texts: Substrings of at least 3 bytes.
  init(_ texts: [String]) {
    var pointers = texts.map { UnsafePointer<CChar>(strdup($0)) }
    defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
    guard let made = ms_needles_make(&pointers, pointers.count) else {
      preconditionFailure("out of memory")
    }
    set = made
  }

  deinit { ms_needles_free(set) }

  /// The index of the first substring at or after `start`; nil if none occurs.
  func first(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let found = ms_needles_find(set, base, bytes.count, start)
    return found < bytes.count ? found : nil
  }
}
