/// A symbolicated stack frame and its role.
package struct Frame: Hashable, Sendable {
  /// The role of a frame's code.
  package enum Role: Hashable, Sendable {
    /// Code of the program, or of a library that is not infrastructure.
    case code
    /// A system library that calls back into the program, such as networking, file and timer
    /// services.
    case library
    /// The language runtime and system libraries.
    case runtime
    /// A function that takes work from a queue or starts a thread.
    case drain
    /// A check of the main queue, of a queue or of an isolation.
    case check
    /// A UI framework, with its name.
    case ui(String)
  }

  /// Properties of a call that the function's name shows.
  package struct Traits: Hashable, Sendable {
    package var isClosure = false
    /// The function that directly encloses a closure.
    package var parent: String?
    /// The module and type of the function.
    package var owner = ""
    /// True if the function is named like a delegate method.
    package var soundsLikeDelegate = false

    package init() {}
  }

  package var place: CodePlace
  package var role: Role
  package var traits = Traits()
  package var isInlined: Bool
  /// True if the frame awaits the preceding frame and is therefore not on the thread's stack.
  package var isAwaiting = false
  /// True if this part of an async function begins after an await of the function, false if it begins
  /// after the switch to the function's own executor; nil for other code.
  package var isAfterAwait: Bool?
  /// True if the linker's name shows that the function is a member of a class or an actor.
  package var isOfClass = false
  /// True if the frame's function is known.
  package var isNamed: Bool

  package init(place: CodePlace, role: Role, isInlined: Bool, isNamed: Bool) {
    self.place = place
    self.role = role
    self.isInlined = isInlined
    self.isNamed = isNamed
  }
}
