import AffinityTesting
import Breadcrumbs
import HeadlessUI
import StatusModel
import Synchronization

@testable import StatusPrompt

/// The app as a storm sees it: answers that it brings, a user who taps, and a life around both.
@MainActor
final class AppInAStorm {
  private struct Service: StatusService {
    let answers: Completions
    let outdated: KYSProfile

    func getStatus(completion: @escaping Answer) {
      answers.add { completion(.success(outdated)) }
    }

    func saveStatus(_ profile: KYSProfile, completion: @escaping Answer) {
      answers.add { completion(.failure(StatusError("no network"))) }
    }
  }

  private let app: App
  private var isSignedOut = false
  private var seen: String?

  private init(_ care: AnswerCare, _ answers: Completions) throws {
    app = try App(
      care, service: Service(answers: answers, outdated: profile(checked: "2019-11-23")))
    app.application.launch()
    app.window.layoutIfNeeded()
  }

  static func offer(_ care: AnswerCare, to shim: Shim) throws {
    let test = try AppInAStorm(care, shim.completions("answer", never: [.twice]))
    for title in ["Update", "Not now", "Save", "Cancel", "Try again", "Discard"] {
      shim.action(title) { MainActor.assumeIsolated { test.tap(title) } }
    }
    shim.onCancel { MainActor.assumeIsolated { test.signOut() } }
    shim.lifecycle.onEvent { event in MainActor.assumeIsolated { test.follow(event) } }
    shim.check("who has signed out is asked nothing") {
      MainActor.assumeIsolated { !test.isSignedOut || test.app.window.button("Update") == nil }
    }
    shim.check("nothing changes in the background") {
      MainActor.assumeIsolated { test.seen.map { $0 == test.app.text } ?? true }
    }
    shim.check("the screen is that of the step") {
      MainActor.assumeIsolated { test.isRight }
    }
  }

  /// Nobody taps what they do not see.
  private func tap(_ title: String) { if seen == nil { app.tap(title) } }

  private func signOut() {
    isSignedOut = true
    app.flow.signOut()
    if seen != nil { seen = app.text }
  }

  private func follow(_ event: LifecycleEvent) {
    app.application.follow(event)
    if event == .didEnterBackground { seen = app.text }
    if event == .willEnterForeground { seen = nil }
  }

  private var isRight: Bool {
    if isSignedOut { return true }
    switch app.flow.step {
    case .prompt: return app.window.button("Not now") != nil
    case .update: return app.window.button("Save") != nil
    case .save(_, failure: .some): return app.window.button("Try again") != nil
    default: return app.home.isVisible
    }
  }
}
