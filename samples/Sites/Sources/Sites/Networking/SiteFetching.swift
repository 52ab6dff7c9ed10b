/// What is called with the sites, or with the reason why there are none.
typealias SiteCompletion = @Sendable (Result<[Site], NetworkError>) -> Void

/// Where a list of sites comes from.
protocol SiteFetching: Sendable {
  /// Fetches the sites, and answers once.
  func fetchSites(_ completion: @escaping SiteCompletion)
}
