import Foundation
import FoundationNetworking
import SampleSupport
import ThreadAffinity

/// Asks the endpoint for the sites: one method, and errors of two kinds.
public final class NetworkingService: SiteFetching {
  /// Where an answer is given.
  public enum Answering: Sendable {
    /// On the main queue: the fix.
    case onMain
    /// On the queue on which it came, which is the session's: the bug.
    case whereItArrives
  }

  private let request: URLRequest
  private let transport: any Transport
  private let answering: Answering

  /// Makes a service for the endpoint that the configuration names.
  init(
    config: AppConfigService, transport: any Transport,
    answering: Answering = .onMain
  ) {
    request = URLRequest(fresh: config.endpoint, timeout: config.timeout)
    self.transport = transport
    self.answering = answering
  }

  /// Fetches the sites, and answers once.
  func fetchSites(_ completion: @escaping SiteCompletion) {
    let answer: SiteCompletion
    switch answering {
    case .onMain: answer = hop("sites", completion)
    case .whereItArrives: answer = completion
    }
    _ = transport.load(request) { data, response, error in
      answer(HTTPOutcome(data, response, error).decoded().mapError { NetworkError($0) })
    }
  }
}
