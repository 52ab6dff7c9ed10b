/// What a script has thrown, or why there is none.
public struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of exception, as the script names it.
  public let name: String
  /// What it says.
  public let message: String
  /// The script's name; nil where the error has not come from a script.
  public let file: String?
  /// The line in it, from 1; 0 where it is not known.
  public let line: Int

  /// An error in words.
  public init(name: String = "Error", message: String, file: String? = nil, line: Int = 0) {
    self.name = name
    self.message = message
    self.file = file
    self.line = line
  }

  /// The error in one line.
  public var description: String {
    let what = name == "Error" ? message : "\(name): \(message)"
    guard let file, line > 0 else { return what }
    return "\(what) (\(file):\(line))"
  }
}
