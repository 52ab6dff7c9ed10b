/// What a sample's program was asked for: `NAME [--bug] [--log FILE]`.
public struct SampleOptions: Sendable {
  /// Whether to run without the fix.
  public var bug = false
  /// Where the breadcrumbs go.
  public var log = "breadcrumbs.log"

  /// Reads a command line; what it does not know it leaves alone.
  public init(arguments: [String]) {
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--bug": bug = true
      case "--log": log = rest.popFirst() ?? log
      default: break
      }
    }
  }
}
