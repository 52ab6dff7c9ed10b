import Synchronization
import ThreadAffinity

/// The way by which callbacks, which come on any queue, reach the screen.
final class ScreenUpdates<Screen: AnyObject & Sendable>: Sendable {
  typealias Update = @Sendable (Screen) -> Void

  private let remedy: Remedy
  private let hop: MainHop<Screen>
  private let isInBackground = Atomic(false)
  /// What waits for the foreground; belongs to the main queue.
  private let kept = Mutex<[Update]>([])

  init(to screen: Screen, remedy: Remedy) {
    self.remedy = remedy
    hop = MainHop(screen, "screen updates")
  }

  /// The app is no longer seen; to be called on the main queue.
  func enterBackground() { isInBackground.store(true, ordering: .relaxed) }

  /// The app is on its way to the front: shows what was kept, before all that still waits for the main
  /// queue, which came later. To be called on the main queue.
  func enterForeground(on screen: Screen) {
    isInBackground.store(false, ordering: .relaxed)
    let missed = kept.withLock { kept in
      defer { kept = [] }
      return kept
    }
    for update in missed { update(screen) }
  }

  /// Brings an update to the screen, at once or later as the remedy wants it.
  ///
  /// - Parameter screen: The screen, which the caller is part of.
  func perform(on screen: Screen, _ update: @escaping Update) {
    let isInBackground = isInBackground.load(ordering: .relaxed)
    switch remedy {
    case .none where isInBackground:
      // Nobody looks, so why trouble the main queue? Because the layout engine does look.
      update(screen)
    case .none, .hop:
      hop.send { update($0) }
    case .pause:
      hop.send { [weak self] in self?.performWhenSeen(on: $0, update) }
    }
  }

  private func performWhenSeen(on screen: Screen, _ update: @escaping Update) {
    guard isInBackground.load(ordering: .relaxed) else { return update(screen) }
    kept.withLock { $0.append(update) }
  }
}
