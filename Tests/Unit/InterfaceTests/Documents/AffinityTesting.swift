final class PriceScreen: Sendable {
  func received(_ number: Int) {}
  func close() {}
}
