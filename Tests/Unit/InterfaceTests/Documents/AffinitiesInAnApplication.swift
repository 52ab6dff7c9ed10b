@MainActor final class PriceDownload {
  var onPrices: (@Sendable ([String: Int]) -> Void)?
}
