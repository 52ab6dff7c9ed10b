import Synchronization

// `@unchecked` because of the subclass; every stored property is constant or atomic.
/// The name and the place of a hop, which all of its crumbs share: a recorder encodes them once.
package class HopLabel: @unchecked Sendable {
  package final let name: StaticString
  package final let site: CallSite
  /// The address of the target, which is meaningless once the hop is gone; 0 for no target.
  package final let target: UInt
  /// The encoded label: memory that a recorder allocated and that is freed with the hop; 0 until then.
  package final let words = Atomic<UInt>(0)

  init(_ name: StaticString, _ site: CallSite, _ target: UInt) {
    self.name = name
    self.site = site
    self.target = target
  }

  deinit { UnsafeMutableRawPointer(bitPattern: words.load(ordering: .acquiring))?.deallocate() }
}
