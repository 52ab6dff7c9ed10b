import Foundation

/// A script to be run: its text, and the name that its errors give.
public struct Script: Sendable, Hashable {
  /// What errors call it.
  public let name: String
  /// Its text.
  public let text: String

  /// A script of that text.
  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }

  /// Reads a script from a file.
  public init(contentsOf file: URL) throws(ScriptError) {
    guard let data = try? Data(contentsOf: file), let text = String(data: data, encoding: .utf8)
    else { throw ScriptError(message: "\(file.lastPathComponent) cannot be read") }
    self.init(name: file.lastPathComponent, text: text)
  }

  /// The script that comes with the app.
  public static func bundled() throws(ScriptError) -> Script {
    try Script(
      contentsOf: Bundle.module.bundleURL.appending(path: "Resources/operations.js"))
  }
}

/// Where a script is read.
public typealias ScriptSource = @Sendable () throws(ScriptError) -> Script
