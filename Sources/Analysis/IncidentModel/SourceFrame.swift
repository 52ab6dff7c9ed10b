/// A function that an address belongs to; inlining can make several share one address.
package struct SourceFrame: Hashable, Sendable {
  /// The demangled name.
  package var function: String
  /// The linker's name; equal to `function` if that is not mangled.
  package var mangledName: String
  /// The file, as the compiler was told it.
  package var file: String?
  /// The line, from 1; nil if the compiler gave none.
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

  /// The frame of an unknown function.
  package static let unknown = SourceFrame(function: "??", mangledName: "??")

  /// True for code that the compiler generated, which has no source file.
  package var isGenerated: Bool { file?.contains("<compiler-generated>") == true }
}

/// Names that an input gives its own frames, by the addresses that stand for them in its stacks.
package struct FrameNames: Sendable {
  /// A frame as its input names it.
  package struct Named: Sendable {
    package var source: SourceFrame
    /// The module or file that holds it.
    package var module: String
    /// Whether its function is known.
    package var isNamed: Bool
    /// The role of the frame, if the input states it; otherwise it is derived from the name.
    package var role: Frame.Role?

    package init(source: SourceFrame, module: String, isNamed: Bool, role: Frame.Role?) {
      self.source = source
      self.module = module
      self.isNamed = isNamed
      self.role = role
    }
  }

  private var frames: [UInt64: Named] = [:]

  package init() {}

  /// Gives the frame at `address` a name.
  package mutating func add(_ frame: Named, at address: UInt64) { frames[address] = frame }

  package subscript(address: FrameAddress) -> Named? { frames[address.recorded] }
}
