/// A place in the source.
public struct CallSite: Sendable, CustomStringConvertible {
  /// The file, such as `Module/File.swift`.
  public let file: StaticString
  /// The line, counted from 1.
  public let line: UInt
  /// The column, counted from 1.
  public let column: UInt
  /// The enclosing function or property.
  public let function: StaticString

  /// Creates a call site; the defaults are the place of the call.
  public init(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.function = function
  }

  /// The site, such as `Module/File.swift:12`.
  public var description: String { "\(file):\(line)" }
}

extension CallSite: Hashable {
  /// True if both sites are the same place in the source. The function is not compared, because the
  /// place determines it.
  public static func == (left: CallSite, right: CallSite) -> Bool {
    left.line == right.line && left.column == right.column
      && left.file.utf8CodeUnitCount == right.file.utf8CodeUnitCount
      && (left.file.utf8Start == right.file.utf8Start
        || left.file.description == right.file.description)
  }

  /// Hashes the length of the file name instead of its text: equal names may have different addresses.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(column)
    hasher.combine(file.utf8CodeUnitCount)
  }
}
