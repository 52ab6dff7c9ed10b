public import Foundation

/// The store of a system: where it is, and how it calls back.
public struct Store: Sendable {
  /// A version of the system, as far as apps notice.
  public enum Version: Sendable, Hashable, CaseIterable {
    /// Delegates happen to be called on the main queue.
    case twelve
    /// Delegates are called on a queue of the store's own.
    case thirteen
  }

  let url: URL
  let queue: DispatchQueue

  /// The store at an address.
  public init(url: URL, version: Version = .thirteen) {
    self.url = url
    switch version {
    case .twelve: queue = .main
    case .thirteen: queue = DispatchQueue(label: "com.example.store.products")
    }
  }
}
