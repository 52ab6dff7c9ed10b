import Synchronization

// `Sendable` but for its subclass: all it has is constant or atomic.
/// What a hop is called: the same in each of its crumbs, so that a recorder puts it into words once.
package class HopLabel: @unchecked Sendable {
  package final let name: StaticString
  package final let site: CallSite
  /// The address of the target, which is meaningless once the hop is gone; 0 for no target.
  package final let target: UInt
  /// What a recorder made of the two: memory that it allocated and that goes with the hop; 0 as long
  /// as there is none.
  package final let words = Atomic<UInt>(0)

  init(_ name: StaticString, _ site: CallSite, _ target: UInt) {
    self.name = name
    self.site = site
    self.target = target
  }

  deinit { UnsafeMutableRawPointer(bitPattern: words.load(ordering: .acquiring))?.deallocate() }
}
