import AffinityTesting
import Breadcrumbs
import HeadlessUI
import StatusModel
import Synchronization

@testable import StatusPrompt

/// The app as a storm sees it: answers that it brings, a user who taps, and a life around both.
@MainActor
final class AppInAStorm {
  /// Who taps.
  enum User {
    /// Goes on, stops, signs out and in.
    case fickle
    /// Only ever goes on.
    case steady
  }

  /// Hands every answer to the storm. Each save is tried twice.
  private final class Service: StatusService {
    let checks: StormCompletions
    let saves: StormCompletions
    let outdated: KYSProfile
    private let attempts = Atomic(0)

    init(_ checks: StormCompletions, _ saves: StormCompletions) throws {
      self.checks = checks
      self.saves = saves
      outdated = try profile(checked: "2019-11-23")
    }

    func getStatus(completion: @escaping Answer) {
      checks.add { [outdated] in completion(.success(outdated)) }
    }

    func saveStatus(_ profile: KYSProfile, completion: @escaping Answer) {
      let isFirst = attempts.add(1, ordering: .relaxed).newValue % 2 == 1
      saves.add {
        completion(isFirst ? .failure(StatusError("no network")) : .success(profile))
      }
    }
  }

  private let app: App
  private var isSignedOut = false
  private var seen: String?

  private init(_ care: AnswerCare, _ service: Service) throws {
    app = try App(care, service: service)
    app.application.launch()
    app.window.layoutIfNeeded()
  }

  static func offer(_ care: AnswerCare, to scenario: StormScenario, of user: User = .fickle) throws
  {
    let checks = scenario.completions("status checked", never: [.twice])
    let saves = scenario.completions("status saved", never: [.twice])
    let test = try AppInAStorm(care, Service(checks, saves))
    scenario.action("go on") {
      MainActor.assumeIsolated { test.tap("Update", "Save", "Try again") }
    }
    scenario.action("leave and come back") {
      MainActor.assumeIsolated { test.comeBack() }
    }
    if user == .fickle {
      scenario.action("stop") {
        MainActor.assumeIsolated { test.tap("Not now", "Cancel", "Discard") }
      }
      scenario.action("sign out or in") { MainActor.assumeIsolated { test.signOutOrIn() } }
    }
    scenario.lifecycle.onEvent { event in MainActor.assumeIsolated { test.follow(event) } }
    scenario.check("who has signed out is asked and told nothing") {
      MainActor.assumeIsolated { !test.isSignedOut || test.app.text.contains("signed out") }
    }
    scenario.check("nothing changes in the background") {
      MainActor.assumeIsolated { test.seen.map { $0 == test.app.text } ?? true }
    }
    scenario.check("the screen is that of the step") {
      MainActor.assumeIsolated { test.isRight }
    }
  }

  /// Taps the first of these that is seen; nobody taps in the background.
  private func tap(_ titles: String...) {
    if seen == nil { titles.lazy.compactMap { self.app.window.button($0) }.first?.tap() }
  }

  private func comeBack() { if seen == nil { app.comeBack(after: 8) } }

  private func signOutOrIn() {
    if seen != nil { return }
    let isLeaving = app.window.button("Sign out") != nil
    app.tap(isLeaving ? "Sign out" : "Sign in")
    isSignedOut = app.window.button("Sign in") != nil
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
