import Synchronization
import ThreadAffinity

/// Lays out the views of one window, and refuses to do so off the main queue, as UIKit's engine does.
///
/// Until the main queue has used it, it only complains; from then on it ends the process.
public final class LayoutEngine: Sendable {
  private let isInUse = Atomic(false)

  /// An engine that nobody has used yet.
  public init() {}

  /// Says whether the caller may change the layout; ends the process where it may not.
  public func enter() {
    if expectMainQueue("layout engine") {
      isInUse.store(true, ordering: .relaxed)
    } else if isInUse.load(ordering: .relaxed) {
      fatalError(
        "Modifications to the layout engine must not be performed from a background thread "
          + "after it has been accessed from the main thread.")
    }
  }

  /// Lays out all that needs it, from a window down.
  func layOut(_ root: View) {
    enter()
    uiWork("layout") { root.layOutTree() }
  }
}
