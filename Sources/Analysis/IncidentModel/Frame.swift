/// A frame of a stack with its name, and what part it plays.
package struct Frame: Hashable, Sendable {
  /// The kind of code of a frame.
  package enum Role: Hashable, Sendable {
    /// The program's own code, or a library's that is not infrastructure.
    case code
    /// A system library that calls back: networking, file and timer services.
    case library
    /// The language's and the system's machinery.
    case runtime
    /// Takes work from a queue, or begins a thread.
    case drain
    /// A check of the main queue, of a queue or of an isolation.
    case check
    /// A UI framework; its name.
    case ui(String)
  }

  /// Properties of a call that the function's name shows.
  package struct Traits: Hashable, Sendable {
    package var isClosure = false
    /// The function directly around a closure.
    package var parent: String?
    /// The module and type that it belongs to.
    package var owner = ""
    /// Whether it is named as delegates' methods are.
    package var soundsLikeDelegate = false

    package init() {}
  }

  package var place: CodePlace
  package var role: Role
  package var traits = Traits()
  package var isInlined: Bool
  /// Whether it waits for the frame before it, and is on no stack.
  package var isAwaiting = false
  /// Whether its function is known.
  package var isNamed: Bool

  package init(place: CodePlace, role: Role, isInlined: Bool, isNamed: Bool) {
    self.place = place
    self.role = role
    self.isInlined = isInlined
    self.isNamed = isNamed
  }
}
