import Foundation

extension Localization {
  /// Says to a person what went wrong.
  func message(for error: NetworkError) -> String {
    switch error {
    case .requestFailed(let failure): message(for: failure)
    case .decodingError(let place): text(.errorDecoding, place)
    }
  }

  /// Says to a person why a request failed.
  func message(for failure: NetworkError.Failure) -> String {
    switch failure {
    case .status(let status): text(.errorStatus, String(status))
    case .noAnswer(.timedOut): text(.errorTimeout)
    case .noAnswer(.cannotConnectToHost), .noAnswer(.notConnectedToInternet),
      .noAnswer(.cannotFindHost), .noAnswer(.networkConnectionLost):
      text(.errorOffline)
    case .noAnswer(let code): text(.errorNoAnswer, String(code.rawValue))
    }
  }

  /// What the sort button says.
  func title(of state: SortState) -> String {
    switch state {
    case .none: text(.sortNone)
    case .nameAscending: text(.sortNameAscending)
    case .nameDescending: text(.sortNameDescending)
    case .host: text(.sortHost)
    }
  }
}
