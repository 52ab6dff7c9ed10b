import AffinityTesting
import Breadcrumbs
import Dispatch
import Synchronization
import ThreadAffinity

/// Shows how far an upload is, which goes on in the background until the time is up.
///
/// Its bug: progress lays out in the background, once the upload has begun.
final class UploadScreen: Sendable {
  private struct State {
    var isUploading = false
    var isInBackground = false
    var hasLaidOutInBackground = false
    var progress = 0
  }

  private let isFixed: Bool
  private let state = Mutex(State())

  init(isFixed: Bool) { self.isFixed = isFixed }

  func begin() { state.withLock { $0.isUploading = true } }

  func follow(_ event: LifecycleEvent) {
    switch event {
    case .didEnterBackground: state.withLock { $0.isInBackground = true }
    case .willEnterForeground:
      state.withLock { $0.isInBackground = false }
      layOut()
    default: break
    }
  }

  /// Called back by the session, anywhere.
  func progressed() {
    DispatchQueue.main.async {
      let isHidden = self.state.withLock { state in
        guard state.isUploading else { return true }
        state.progress += 1
        return self.isFixed && state.isInBackground
      }
      if !isHidden { self.layOut() }
    }
  }

  private func layOut() {
    expectMainQueue("progress bar")
    state.withLock { if $0.isInBackground { $0.hasLaidOutInBackground = true } }
  }

  var hasLaidOutInBackground: Bool { state.withLock { $0.hasLaidOutInBackground } }

  static func storm(isFixed: Bool) -> CallbackStorm.Body {
    { scenario in
      let screen = UploadScreen(isFixed: isFixed)
      scenario.lifecycle.onEvent { screen.follow($0) }
      scenario.callback("upload began") { screen.begin() }
      scenario.callback("progress") { screen.progressed() }
      scenario.check("no layout in the background") { !screen.hasLaidOutInBackground }
    }
  }
}
