public import Foundation

/// Places in a table, by UIKit's names.
extension IndexPath {
  public init(row: Int, section: Int = 0) { self.init(indexes: [section, row]) }

  public var section: Int { self[0] }
  public var row: Int { self[1] }
}
