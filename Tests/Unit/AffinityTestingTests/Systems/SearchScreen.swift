import AffinityTesting
import Dispatch
import Synchronization
import ThreadAffinity

/// Searches at every key, and shows what is found until it is closed.
///
/// Its bugs are of order: an answer that comes after the close is shown, and a late answer to an
/// older question replaces the newer one.
final class SearchScreen: Sendable {
  enum Bug { case showsWhenClosed, showsTheLastToCome }

  private struct State {
    var text = ""
    var found: String?
    var isOpen = true
    var hasShownWhenClosed = false
  }

  typealias Search = @Sendable (String, _ completion: @escaping @Sendable (String) -> Void) -> Void

  private let bug: Bug?
  private let search: Search
  private let state = Mutex(State())

  init(_ bug: Bug?, search: @escaping Search) {
    self.bug = bug
    self.search = search
  }

  func typed() {
    requireMainQueue()
    let text = state.withLock {
      $0.text += "a"
      return $0.text
    }
    search(text) { answer in
      DispatchQueue.main.async { self.show(answer, for: text) }
    }
  }

  func close() {
    state.withLock {
      $0.isOpen = false
      $0.found = nil
    }
  }

  private func show(_ answer: String, for text: String) {
    expectMainQueue("search results")
    state.withLock { state in
      guard state.isOpen || bug == .showsWhenClosed else { return }
      if !state.isOpen { state.hasShownWhenClosed = true }
      // What is shown answers the text, or an older one while the newer is on its way.
      let isOlder = state.found.map { answer.count < $0.count } ?? false
      if !isOlder || bug == .showsTheLastToCome { state.found = answer }
    }
  }

  var hasShownWhenClosed: Bool { state.withLock { $0.hasShownWhenClosed } }
  var shown: String? { state.withLock { $0.found } }

  static func storm(_ bug: Bug?) -> CallbackStorm.Body {
    { scenario in
      let answers = scenario.completions("answer")
      let newest = Mutex("")
      let screen = SearchScreen(bug) { text, completion in
        answers.add {
          completion(text)
        }
      }
      scenario.action("a key") { screen.typed() }
      scenario.onCancel { screen.close() }
      scenario.check("a closed screen shows nothing") { !screen.hasShownWhenClosed }
      scenario.check("no answer replaces a newer one") {
        let shown = screen.shown ?? ""
        return newest.withLock { newest in
          defer { newest = shown }
          return shown.isEmpty || shown.count >= newest.count
        }
      }
    }
  }
}
