import Foundation
import Observation

/// Goes from page to page, and publishes what to show of them.
///
/// `@unchecked Sendable`: it belongs to the main queue, which the view that observes it checks.
@Observable
public final class BrowserModel: @unchecked Sendable {
  /// The page, once it is there.
  private(set) var page: WebPage?
  /// Whether a page is awaited.
  public private(set) var isLoading = false
  /// Why there is no page.
  private(set) var errorMessage: String?
  /// Where it has been, the page that is shown last.
  private(set) var visited: [URL]

  @ObservationIgnored private var loads = 0

  private let pages: PageLoader
  private let localization: Localization

  /// Begins at an address; `load()` fetches its page.
  init(_ address: URL, pages: PageLoader, localization: Localization) {
    visited = [address]
    self.pages = pages
    self.localization = localization
  }

  /// Where it is.
  var address: URL { visited[visited.count - 1] }

  /// Whether there is a page to go back to.
  var canGoBack: Bool { visited.count > 1 }

  /// Fetches the page, again if it is there. What was asked for before is not waited for any more.
  func load() {
    loads += 1
    let load = loads
    isLoading = true
    errorMessage = nil
    pages.load(address) { [weak self] result in
      guard let self, load == loads else { return }
      show(result)
    }
  }

  /// Follows a link of the page, by its number from 1.
  func follow(_ link: Int) {
    guard let page, page.links.indices.contains(link - 1) else { return }
    visited.append(page.links[link - 1])
    load()
  }

  /// Goes back to the page before.
  func goBack() {
    guard canGoBack else { return }
    visited.removeLast()
    load()
  }

  private func show(_ result: Result<WebPage?, NetworkError>) {
    isLoading = false
    switch result {
    case .success(let found):
      page = found
      errorMessage = found == nil ? localization(.browserNoPage) : nil
    case .failure(let error):
      page = nil
      errorMessage = localization.message(for: error)
    }
  }
}
