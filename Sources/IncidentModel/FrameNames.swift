/// Names that an input gives its own frames, by the addresses that stand for them in its stacks.
package struct FrameNames: Sendable {
  /// A frame as its input names it.
  package struct Named: Sendable {
    package var source: SourceFrame
    /// The module or file that holds it.
    package var module: String
    /// Whether its function is known.
    package var isNamed: Bool
    /// What part it plays, where the input itself knows that; else its name tells.
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
