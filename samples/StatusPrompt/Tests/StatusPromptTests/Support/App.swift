import Foundation
import HeadlessUI
import StatusModel
import Synchronization

@testable import StatusPrompt

/// The whole app, on a server of its own unless a test is the service.
@MainActor
final class App {
  let application = Application()
  let server: StatusServer
  let window = Window(size: Size(width: 46, height: 11), title: "App")
  let home = HomeController()
  let postponed: URL
  let flow: StatusFlow
  private let today: Today

  /// The day that it is.
  private final class Today: Sendable {
    let day: Mutex<CalendarDay>

    init(_ day: CalendarDay) { self.day = Mutex(day) }
  }

  init(
    _ care: AnswerCare = .full, checked: String = "2019-11-23", policy: PostponePolicy = .days(7),
    service: (any StatusService)? = nil, postponed: URL? = nil
  ) throws {
    server = try StatusServer(profile(checked: checked))
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("postponed-\(UUID().uuidString).json")
    self.postponed = postponed ?? file
    let today = Today(try day("2020-06-23"))
    self.today = today
    flow = StatusFlow(
      application, home: home, service: service ?? StatusAPI(server: server.url),
      world: StatusMachine.World(
        rule: OutdatedRule(months: 6), policy: policy,
        postponements: PostponementFile(self.postponed), today: { today.day.withLock { $0 } }),
      care: care)
    window.rootViewController = home
    application.window = window
  }

  deinit { try? FileManager.default.removeItem(at: postponed) }

  var text: String { window.renderedText() }

  func tap(_ title: String) { window.button(title)?.tap() }

  /// The user goes away, and is back days later.
  func comeBack(after days: Int = 0) {
    application.enterBackground()
    today.day.withLock { $0 = $0.adding(days: days) }
    application.enterForeground()
  }

  /// Launches it, and waits for the process to be where it asks or ends.
  func launch() async throws {
    application.launch()
    try await settle()
  }

  /// Waits until no answer is to come.
  func settle() async throws {
    try await wait {
      switch self.flow.step {
      case .check(isAsking: true), .save(_, failure: nil): false
      default: true
      }
    }
  }

  /// Waits until so many answers have come, and the main queue has had what they sent it.
  ///
  /// An answer is counted once it is sent to the main queue; who went on at that moment would come before it.
  func answers(_ count: Int) async throws {
    try await wait { self.flow.answers == count }
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  /// Is at the screen on which the status is updated.
  func goToUpdate() async throws {
    try await launch()
    tap("Update")
  }

  /// Lets the main queue run until something holds; gives up after ten seconds.
  func wait(until holds: @MainActor () -> Bool) async throws {
    for _ in 0..<5000 where !holds() { try await Task.sleep(for: .milliseconds(2)) }
    if !holds() { throw Timeout(shown: text) }
  }

  struct Timeout: Error {
    let shown: String
  }
}
