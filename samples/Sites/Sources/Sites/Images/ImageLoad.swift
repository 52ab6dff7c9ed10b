import Foundation
import Synchronization
import ThreadAffinity

/// One image on its way to whoever asked for it; whoever lets go of it is not called any more.
final class ImageLoad: Sendable {
  private enum State {
    case open(cancel: (@Sendable () -> Void)?)
    case over
  }

  private let state = Mutex(State.open(cancel: nil))
  private let show: @MainActor (ImagePhase) -> Void
  private let hop = Mutex<MainHop<ImageLoad>?>(nil)

  init(_ show: @escaping @MainActor (ImagePhase) -> Void) {
    self.show = show
    let hop = MainHop(self, "image")
    self.hop.withLock { $0 = hop }
  }

  deinit { stopTransport() }

  /// Stops the request, and drops what it has brought but not shown.
  func cancel() {
    hop.withLock { $0 }?.cancel()
    stopTransport()
  }

  /// Says how to stop what brings the image; at once, where that is wanted already.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      guard case .open = state else { return true }
      state = .open(cancel: cancel)
      return false
    }
    if isOver { cancel() }
  }

  /// Shows how far the image has come, on the main queue.
  func answer(_ phase: ImagePhase) {
    hop.withLock { $0 }?.send { load in load.show(phase) }
  }

  private func stopTransport() {
    let cancel = state.withLock { state in
      defer { state = .over }
      guard case .open(let cancel) = state else { return nil as (@Sendable () -> Void)? }
      return cancel
    }
    cancel?()
  }
}
