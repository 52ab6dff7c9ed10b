/// What keeps the last list of sites for when the endpoint cannot be reached.
protocol SiteKeeping: Sendable {
  /// Keeps `sites` in place of those kept before; a later `load` sees them.
  func save(_ sites: [Site])

  /// Reads what was kept, and answers on the main queue: nil if there is nothing.
  func load(_ completion: @escaping @MainActor ([Site]?) -> Void)
}
