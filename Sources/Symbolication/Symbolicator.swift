import IncidentModel

/// Turns addresses into functions, files and lines.
package struct Symbolicator {
  package init() {}

  /// The functions at an address, innermost first; empty where nothing is known.
  package mutating func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] { [] }
}
