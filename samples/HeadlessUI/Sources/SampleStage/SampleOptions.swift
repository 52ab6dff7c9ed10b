/// What a sample's program was asked for: `NAME [--bug] [--fix FIX] [--log FILE]`.
public struct SampleOptions: Sendable, Hashable {
  /// Whether to run without the fix.
  public var bug = false
  /// Which of a sample's fixes to run with; nil is the one the sample recommends.
  public var fix: String?
  /// Where the breadcrumbs go.
  public var log = "breadcrumbs.log"

  /// Reads a command line, of which the first word is the program's name.
  ///
  /// - Parameter fixes: The fixes that can be chosen.
  public init(arguments: [String], fixes: [String] = []) throws(SampleUsage) {
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--bug": bug = true
      case "--fix":
        fix = try Self.fix(rest.popFirst(), of: fixes)
      case "--log":
        guard let path = rest.popFirst() else { throw SampleUsage("--log takes a file") }
        log = path
      default: throw SampleUsage("unknown option: \(argument)")
      }
    }
    if bug && fix != nil { throw SampleUsage("--bug runs without any fix: give one of the two") }
  }

  private static func fix(_ name: String?, of fixes: [String]) throws(SampleUsage) -> String {
    if let name, fixes.contains(name) { return name }
    let unknown = name.map { "there is no fix “\($0)”; " } ?? ""
    throw SampleUsage(
      fixes.isEmpty
        ? "\(unknown)this sample has one fix, which is on unless --bug turns it off"
        : "\(unknown)--fix takes one of: \(fixes.joined(separator: ", "))")
  }
}
