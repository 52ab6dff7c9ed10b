import Mainstay

let diagnostics = Mainstay.start()

/// The meter of swift-metrics.
struct Meter {
  init(label: String, dimensions: [(String, String)]) {}
  func set(_ value: Double) {}
}
