import ThreadAffinity

/// Lays out views, and refuses to do so anywhere but on the main queue, as UIKit's engine does.
public enum LayoutEngine {
  /// Says whether the caller may change the layout; ends the process where it may not.
  public static func enter() {
    expectMainQueue("layout engine")
    guard MainQueue.isCurrent else {
      fatalError(
        "Modifications to the layout engine must not be performed from a background thread "
          + "after it has been accessed from the main thread.")
    }
  }
}
