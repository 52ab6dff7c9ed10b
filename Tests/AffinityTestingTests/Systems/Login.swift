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
    var signature: UInt64 = 0
  }

  private let isFixed: Bool
  private let state = Mutex(State())

  init(isFixed: Bool) { self.isFixed = isFixed }

  /// Called back by any request, anywhere.
  func refused() {
    let isRenewing = state.withLock { state in
      defer { if isFixed { state.isRenewing = true } }
      return state.isRenewing
    }
    if isRenewing { return }
    let signature = sign("renew")
    state.withLock {
      $0.isRenewing = true
      $0.signature = signature
    }
    begin()
  }

  /// Dear on purpose, as signatures are.
  private func sign(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for _ in 0..<100 { for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    return hash
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
    { shim in
      let login = Login(isFixed: isFixed)
      shim.callback("refused") { login.refused() }
      shim.check("one renewal at a time") { login.mostAtOnce < 2 }
    }
  }
}
