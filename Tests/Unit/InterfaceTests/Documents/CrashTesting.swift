import AffinityTesting
import CrashTesting
import Testing

final class PriceScreen: Sendable {
  func received(_ number: Int) {}
}
