import CSymbols

/// Demangles the names of one module.
///
/// A few characters can expand to more text than memory. Names that might are not demangled, and
/// names whose text exceeds a few kilobytes stay mangled. After several names with such a text, all
/// other names of the module stay mangled too, because each takes time and no compiler emits such a
/// module.
package struct Demangler {
  private var unfoldedTooFar = 0
  private let mostUnfoldedTooFar = 16
  private let longest = 8192

  package init() {}

  /// Returns a short readable form of a Swift or C++ name; nil for any other name, which is used unchanged.
  package mutating func readable(_ mangled: String) -> String? {
    guard unfoldedTooFar < mostUnfoldedTooFar, let first = mangled.utf8.first,
      first == UInt8(ascii: "$") || first == UInt8(ascii: "_") || first == UInt8(ascii: "@")
    else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest) { buffer in
      var length = 0
      switch ms_demangle(mangled, buffer.baseAddress!, buffer.count, &length) {
      case MS_DEMANGLED:
        let name = String(decoding: UnsafeRawBufferPointer(buffer).prefix(length), as: UTF8.self)
        // Code at the top level of a file has no function name.
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
