import Breadcrumbs

final class Feed: Sendable {
  let drewInBackground = false
  func show(_ number: Int) {}
  func follow(_ event: LifecycleEvent) {}
}
