import AffinityTesting
import Breadcrumbs
import Foundation
import Testing
import ThreadAffinity
import XCTest

let recorder = try! BreadcrumbRecorder(path: "breadcrumbs.log")
let feed = Feed(hops: true)

final class Feed: Sendable {
  init(hops: Bool) {}
  init(notifications: NotificationCenter) {}
  func refresh() {}
  func refreshBroken() {}
  func stop() {}
}

final class PriceScreen: Sendable {
  let laidOutInBackground = false
  func received(_ number: Int) {}
  func failed() {}
  func close() {}
  func follow(_ event: LifecycleEvent) {}
}

struct Picture: Sendable {
  init(of item: Int) {}
}

final class PictureList: Sendable {
  let showsOnlyItsOwn = true
  init(load: @escaping @Sendable (Int, @escaping @Sendable (Picture) -> Void) -> Void) {}
  func scroll() {}
}

final class PriceList: Sendable {
  init(rows: [Int]) {}
  func received() {}
}

/// What `crashscan repro` writes in a test's place for the code that the log tells of.
final class StandIn: Sendable {
  func show() {}
  func lifecycle(_ event: LifecycleEvent) {}
}

actor Account {
  let balance = 100
  func withdraw(_ amount: Int) async {}
}

actor TicketOffice {
  private(set) var sold = 0
  init(tickets: Int) {}
  func sell(to buyer: String) async -> Bool { true }
}

struct Prices {
  func read() async -> [String] { [] }
}
