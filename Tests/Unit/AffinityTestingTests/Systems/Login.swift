import AffinityTesting
import Dispatch
import Synchronization

/// Renews its token when a request is refused for an old one.
///
/// Its bug: it asks whether a renewal is on its way, signs a request, and only then says that one is:
/// two refusals at the same time begin two.
final class Login: Sendable {
  private struct State {
    var isRenewing = false
    var atOnce = 0
    var mostAtOnce = 0
    var signers = 0
  }

  private let isFixed: Bool
  private let state = Mutex(State())
  private let another = DispatchSemaphore(value: 0)

  init(isFixed: Bool) { self.isFixed = isFixed }

  /// Called back by any request, anywhere.
  func refused() {
    let isRenewing = state.withLock { state in
      defer { if isFixed { state.isRenewing = true } }
      return state.isRenewing
    }
    if isRenewing { return }
    if !isFixed { sign() }
    state.withLock { $0.isRenewing = true }
    begin()
  }

  /// Takes a moment, as signatures do: until another is asked for, which shows the bug however busy the
  /// machine is.
  private func sign() {
    let isAlone = state.withLock { state in
      state.signers += 1
      return state.signers == 1
    }
    if isAlone { _ = another.wait(timeout: .now() + .milliseconds(5)) } else { another.signal() }
    state.withLock { $0.signers -= 1 }
  }

  private func begin() {
    state.withLock {
      $0.atOnce += 1
      $0.mostAtOnce = max($0.mostAtOnce, $0.atOnce)
    }
    DispatchQueue.main.async {
      self.state.withLock {
        $0.atOnce -= 1
        $0.isRenewing = $0.atOnce > 0
      }
    }
  }

  var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

  static func storm(isFixed: Bool) -> CallbackStorm.Body {
    { scenario in
      let login = Login(isFixed: isFixed)
      scenario.callback("refused") { login.refused() }
      scenario.check("one renewal at a time") { login.mostAtOnce < 2 }
    }
  }
}
