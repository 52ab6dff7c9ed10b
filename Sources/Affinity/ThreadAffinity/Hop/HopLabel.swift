import Synchronization

// `@unchecked` because of the subclass; every stored property is constant or atomic.
/// The name and place of a hop. All crumbs of the hop share this label, so that a recorder encodes it once.
package class HopLabel: @unchecked Sendable {
  package final let name: StaticString
  package final let site: CallSite
  /// The address of the target, meaningless once the hop is gone; 0 if the hop has no target.
  package final let target: UInt
  /// The encoded label, in memory that a recorder allocates and that is freed with the hop; 0 before the
  /// first recording.
  package final let words = Atomic<UInt>(0)

  init(_ name: StaticString, _ site: CallSite, _ target: UInt) {
    self.name = name
    self.site = site
    self.target = target
  }

  deinit { UnsafeMutableRawPointer(bitPattern: words.load(ordering: .acquiring))?.deallocate() }
}
