import AffinityTesting
import CrashTesting
import Foundation
import HeadlessUI
import ProductStore
import StoreProducts
import Testing

/// The crash that came with a new system, and its fix.
@Suite struct StoreCrashTests {
  @Test func withoutAHopTheStoresDelegateEndsInTheOldStacksAssertion() async {
    await expectCrash(
      .isolationTrap, culprit: "Shop.productsRequest(_:didReceive:)", within: .seconds(20)
    ) {
      Task { @MainActor in
        let app = try App(hops: false)
        app.open()
        try await app.wait { false }
      }
    }
  }

  /// The system before called on the main queue, so that nobody noticed.
  @MainActor
  @Test func withTheSystemBeforeTheSameCodeWasWell() async throws {
    let app = try App(version: .twelve, hops: false)
    try await expectNoViolations {
      app.open()
      try await app.wait { app.shop.state.phase == .open }
    }
  }

  @MainActor
  @Test(arguments: Store.Version.allCases)
  func withTheShimEverySystemIsWell(version: Store.Version) async throws {
    let app = try App(version: version, hops: true)
    try await expectNoViolations {
      app.open()
      try await app.wait { app.shop.state.phase == .open }
    }
  }

  @MainActor
  @Test func aFailureOfTheStoreCallsBackOffMainAsWell() async throws {
    let app = try App(hops: false)
    app.server.stop()
    try await expectViolation(of: .main) {
      app.shop.observe { state in if case .failed = state.phase { _ = Label("closed") } }
      app.shop.load()
      try await app.wait { app.shop.state.summary.contains("the store is closed") }
    }
  }

  @Test func theAssertionStays() async {
    await expectCrash(.isolationTrap, culprit: "theAssertionStays") {
      let session = HTTPSession(base: URL(fileURLWithPath: "/"))
      DispatchQueue.global().async { session.post("offers", ["year"]) { _ in } }
    }
  }
}
