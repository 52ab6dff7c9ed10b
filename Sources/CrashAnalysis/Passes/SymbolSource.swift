import IncidentModel

/// Names for addresses: what the analysis asks of a symbolicator.
package protocol SymbolSource {
  /// The functions at an address, innermost first; empty where nothing is known.
  mutating func frames(at address: FrameAddress, in module: Module) -> [SourceFrame]
}
