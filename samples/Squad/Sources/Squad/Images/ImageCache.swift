import Foundation

/// Pictures by their addresses; the one that was asked for longest ago goes first.
struct ImageCache {
  private let capacity: Int
  private var pictures: [URL: Picture] = [:]
  /// The one asked for last is the last.
  private var order: [URL] = []

  init(capacity: Int = 64) { self.capacity = capacity }

  /// - Complexity: O(capacity).
  subscript(url: URL) -> Picture? {
    mutating get {
      if pictures[url] != nil { touch(url) }
      return pictures[url]
    }
    set {
      order.removeAll { $0 == url }
      pictures[url] = newValue
      if newValue != nil { order.append(url) }
      while order.count > capacity { pictures[order.removeFirst()] = nil }
    }
  }

  private mutating func touch(_ url: URL) {
    order.removeAll { $0 == url }
    order.append(url)
  }
}
