import Foundation

extension Localization {
  /// Says to a person what went wrong.
  func message(for error: NetworkError) -> String {
    switch error {
    case .requestFailed(let failure): message(for: failure)
    case .decodingError(let place): self(.errorDecoding, place)
    }
  }

  /// Says to a person why a request failed.
  func message(for failure: NetworkError.Failure) -> String {
    switch failure {
    case .status(let status): self(.errorStatus, String(status))
    case .noAnswer(.timedOut): self(.errorTimeout)
    case .noAnswer(.cannotConnectToHost), .noAnswer(.notConnectedToInternet),
      .noAnswer(.cannotFindHost), .noAnswer(.networkConnectionLost):
      self(.errorOffline)
    case .noAnswer(let code): self(.errorNoAnswer, String(code.rawValue))
    }
  }

  /// What the sort button says.
  func title(of state: SortState) -> String {
    switch state {
    case .none: self(.sortNone)
    case .nameAscending: self(.sortNameAscending)
    case .nameDescending: self(.sortNameDescending)
    case .host: self(.sortHost)
    }
  }
}
