public import Foundation

/// Places in a table, by UIKit's names.
extension IndexPath {
  /// The place of a row.
  public init(row: Int, section: Int = 0) { self.init(indexes: [section, row]) }

  /// The number of its section, from 0.
  public var section: Int { self[0] }
  /// The number of its row in its section, from 0.
  public var row: Int { self[1] }
}
