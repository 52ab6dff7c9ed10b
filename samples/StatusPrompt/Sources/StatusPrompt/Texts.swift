import StatusModel

extension KYSStatus {
  /// What the user calls it.
  var text: String {
    switch self {
    case .positive: "HIV-positive"
    case .negative: "HIV-negative"
    }
  }
}

extension KYSProfile {
  /// The profile as others see it: `HIV-negative, last check: November 2019`.
  var text: String {
    guard let status else { return "status unknown" }
    guard let lastCheck else { return "\(status.text), never checked" }
    return "\(status.text), last check: \(lastCheck.monthText)"
  }
}

extension CalendarDay {
  /// The month, as `November 2019`: a day is more than others need to know.
  var monthText: String {
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return "\(months[month - 1]) \(year)"
  }
}
