import CSymbols

/// Makes the names of one module readable.
///
/// A few characters can unfold to more text than there is memory. What might is not tried, and what
/// passes a few kilobytes stays mangled; after some of the latter all others do too, for each of them
/// takes its time and no compiler writes a module like that.
package struct Demangler {
  private var unfoldedTooFar = 0
  private let mostUnfoldedTooFar = 16
  private let longest = 8192

  package init() {}

  /// A short readable form of a Swift or C++ name; nil for any other, which is read as it is.
  package mutating func readable(_ mangled: String) -> String? {
    guard unfoldedTooFar < mostUnfoldedTooFar, let first = mangled.utf8.first,
      first == UInt8(ascii: "$") || first == UInt8(ascii: "_") || first == UInt8(ascii: "@")
    else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest) { buffer in
      var length = 0
      switch ms_demangle(mangled, buffer.baseAddress!, buffer.count, &length) {
      case MS_DEMANGLED:
        let name = String(decoding: UnsafeRawBufferPointer(buffer).prefix(length), as: UTF8.self)
        // What stands at the top level of a file is in no function that could be named.
        return name.hasSuffix(" in ") ? name + "top-level code" : name
      case MS_DEMANGLED_TOO_LONG:
        unfoldedTooFar += 1
        return nil
      default:
        return nil
      }
    }
  }
}
