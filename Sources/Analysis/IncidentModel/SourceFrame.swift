/// A function that contains an address. Several functions can share an address because of inlining.
package struct SourceFrame: Hashable, Sendable {
  /// The demangled name.
  package var function: String
  /// The linker's name; equal to `function` if the name is not mangled.
  package var mangledName: String
  /// The path of the file as it was passed to the compiler.
  package var file: String?
  /// The line, counted from 1; nil if the debug information has none.
  package var line: Int?
  package var column: Int?
  /// True if this function is inlined into the next function of the list.
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

/// The frame names in an input, by the addresses that represent the frames in its stacks.
package struct FrameNames: Sendable {
  /// A frame with the name from its input.
  package struct Named: Sendable {
    package var source: SourceFrame
    /// The module or file that contains the function.
    package var module: String
    /// True if the function is known.
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

  /// Sets the name of the frame at `address`.
  package mutating func add(_ frame: Named, at address: UInt64) { frames[address] = frame }

  package subscript(address: FrameAddress) -> Named? { frames[address.recorded] }
}
