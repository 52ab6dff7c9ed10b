import Foundation
import Hummingbird

/// What a real route answers: an item, in JSON.
struct Item: ResponseCodable {
  var name: String
  var count: Int
  var price: Double
  var shelf: String
  var tags: [String]
  var changed: Date
}

/// Where a real route gets it: from an actor.
actor Items {
  private var items: [String: Item] = [:]

  init() {
    for (place, name) in ["nut", "bolt", "nail", "screw", "hook"].enumerated() {
      items[name] = Item(
        name: name, count: 100 * (place + 1), price: 0.05 + Double(place), shelf: "A\(place)",
        tags: ["steel", "small", "sold by weight"], changed: Date(timeIntervalSince1970: 1.7e9))
    }
  }

  /// One is taken as it is looked at, so that it is written too.
  func take(_ name: String) -> Item? {
    items[name]?.count -= 1
    return items[name]
  }
}
