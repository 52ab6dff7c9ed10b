import Foundation
import Observation
import ThreadAffinity

/// Loads, sorts and publishes the sites for the list.
///
/// `@unchecked Sendable`: it belongs to the main queue, which publishing checks. On the main actor it would
/// not compile with its bug, which code that was written before Swift 6 has.
@Observable
public final class SiteListViewModel: @unchecked Sendable {
  /// The sites, in the order that is shown.
  private(set) var sites: [Site] = []
  /// How they are sorted.
  private(set) var sortState = SortState.none
  /// Whether an answer is awaited.
  public private(set) var isLoading = false
  /// What went wrong last; nil once something has gone well.
  private(set) var errorMessage: String?
  /// Whether the sites are not the endpoint's newest, because it did not answer.
  private(set) var areSaved = false

  /// The sites as they were received, to go back to when they are not sorted any more.
  @ObservationIgnored private var siteCopy: [Site] = []
  /// The load whose answer is awaited, by its number: what answers twice is heard once.
  @ObservationIgnored private var awaited: Int?
  @ObservationIgnored private var loads = 0

  private let service: any SiteFetching
  private let archive: any SiteKeeping
  private let localization: Localization

  /// Makes a model without sites; `loadSites()` gets them.
  init(service: any SiteFetching, archive: any SiteKeeping, localization: Localization) {
    self.service = service
    self.archive = archive
    self.localization = localization
  }

  /// Asks for the sites, and falls back on those that were saved; while it does, it asks no more.
  func loadSites(whenDone: @escaping @Sendable () -> Void = {}) {
    guard !isLoading else { return whenDone() }
    loads += 1
    let load = loads
    awaited = load
    isLoading = true
    service.fetchSites { [weak self] result in
      guard let self else { return whenDone() }
      receive(result, of: load, whenDone)
    }
  }

  /// Asks for the sites, and returns when it is known what to show.
  @MainActor
  func loadSites() async {
    await withCheckedContinuation { continuation in
      loadSites { continuation.resume() }
    }
  }

  /// Sorts in the next way.
  func toggleSort() {
    sortState.advance()
    sites = sortState.sorted(siteCopy)
  }

  /// The address to open for a site; where there is none that could be opened, says so.
  func address(of site: Site) -> URL? {
    if let url = site.url.url {
      // What was wrong with another address is over; what is wrong with the list is not.
      if !areSaved { errorMessage = nil }
      return url
    }
    errorMessage = localization(.errorAddress, site.url.text)
    return nil
  }

  private func receive(
    _ result: Result<[Site], NetworkError>, of load: Int, _ whenDone: @escaping @Sendable () -> Void
  ) {
    guard awaited == load else { return }
    awaited = nil
    switch result {
    case .success(let sites):
      archive.save(sites)
      publish(sites, areSaved: false, errorMessage: nil)
      whenDone()
    case .failure(let error):
      fallBack(after: error, whenDone)
    }
  }

  private func fallBack(after error: NetworkError, _ whenDone: @escaping @Sendable () -> Void) {
    let message = localization.message(for: error)
    guard siteCopy.isEmpty else {
      publish(siteCopy, areSaved: true, errorMessage: message)
      return whenDone()
    }
    archive.load { [weak self] saved in
      self?.publish(saved ?? [], areSaved: saved != nil, errorMessage: message)
      whenDone()
    }
  }

  private func publish(_ received: [Site], areSaved: Bool, errorMessage: String?) {
    // As SwiftUI does: “Publishing changes from background threads is not allowed”.
    expectMainQueue("publishing of the sites")
    siteCopy = received
    sites = sortState.sorted(received)
    self.areSaved = areSaved
    self.errorMessage = errorMessage
    isLoading = false
  }
}
