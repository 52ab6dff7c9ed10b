public import Foundation

/// One value in one file: on file as a whole or not at all, whenever the process dies.
public struct JSONFile<Value: Codable>: Sendable {
  /// Where the file is.
  public let url: URL

  /// A file, which need not be there yet.
  public init(_ url: URL) { self.url = url }

  /// What was written last; nil where there is no file.
  public func read() throws -> Value? {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(contentsOf: url))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
  }

  /// Writes beside the file and then renames: there is no moment at which it is half of each.
  public func write(_ value: Value) throws {
    try JSONEncoder().encode(value).write(to: url, options: .atomic)
  }
}
