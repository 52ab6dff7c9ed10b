/// A function that an address belongs to; inlining can make several share one address.
package struct SourceFrame: Hashable, Sendable {
  /// The demangled name.
  package var function: String
  /// The name as the linker knows it; the same as `function` where nothing is mangled.
  package var mangledName: String
  /// The file, as the compiler was told it.
  package var file: String?
  /// 1 is the first line; nil where the compiler gave none.
  package var line: Int?
  package var column: Int?
  /// Whether this function stands inside the next one of the list by inlining.
  package var isInlined: Bool

  package init(
    function: String, mangledName: String, file: String? = nil, line: Int? = nil,
    column: Int? = nil, isInlined: Bool = false
  ) {
    self.function = function
    self.mangledName = mangledName
    self.file = file
    self.line = line
    self.column = column
    self.isInlined = isInlined
  }
}
