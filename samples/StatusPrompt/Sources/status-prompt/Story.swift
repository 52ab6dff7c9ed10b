import Foundation
import HeadlessUI
import SampleStage
import StatusModel
import StatusPrompt
import Synchronization

/// A user who postpones, cancels a week later, and updates after another; saving fails once, and then takes
/// its time.
@MainActor
final class Story {
  private let stage: Stage
  private let server: StatusServer
  private let postponed: URL
  private let window = Window(size: Size(width: 46, height: 11), title: "App")
  private let today: Today
  private let flow: StatusFlow

  init(_ stage: Stage) throws {
    self.stage = stage
    guard let checked = CalendarDay(2019, 11, 23), let day = CalendarDay(2020, 6, 23) else {
      throw StatusError("no such day")
    }
    server = try StatusServer(KYSProfile(status: .negative, lastCheck: checked))
    postponed = URL(fileURLWithPath: stage.options.log + ".postponed.json")
    let today = Today(day)
    self.today = today
    let home = HomeController()
    window.rootViewController = home
    stage.application.window = window
    flow = StatusFlow(
      stage.application, home: home, service: StatusAPI(server: server.url),
      world: StatusMachine.World(
        rule: OutdatedRule(months: 6), policy: .days(7),
        postponements: PostponementFile(postponed), today: { today.day.withLock { $0 } }),
      care: Self.care(stage.options))
  }

  private static func care(_ options: SampleOptions) -> AnswerCare {
    if options.bug { return [] }
    return options.fix == "hop" ? .hops : .full
  }

  func play() async throws {
    defer { try? FileManager.default.removeItem(at: postponed) }
    stage.application.launch()
    try await stage.wait { self.flow.answers == 1 && self.window.button("Not now") != nil }
    stage.show("After the launch: the last check is seven months old.", window)

    window.button("Not now")?.tap()
    comeBack(after: 1)
    try await stage.wait { self.flow.step == .final(.leftAlone) }
    stage.show("The user has postponed, and the next day is left alone.", window)

    try await goToUpdate()
    stage.show("A week later the user is asked again, and goes on.", window)
    window.button("Cancel")?.tap()
    stage.show("The screen was cancelled: nothing is saved.", window)

    try await goToUpdate()
    try await save()
  }

  /// A week later, at the screen on which the status is updated.
  private func goToUpdate() async throws {
    comeBack(after: 7)
    try await stage.wait { self.window.button("Update") != nil }
    window.button("Update")?.tap()
  }

  private func comeBack(after days: Int) {
    stage.application.enterBackground()
    today.day.withLock { $0 = $0.adding(days: days) }
    stage.application.enterForeground()
  }

  private func save() async throws {
    server.failNext()
    window.button("Save")?.tap()
    try await stage.wait { self.window.button("Try again") != nil }
    stage.show("The server could not save it.", window)

    let gate = server.hold()
    let before = flow.answers
    window.button("Try again")?.tap()
    await settle()
    stage.say("The user tries again, and leaves the app; the answer comes in the background.\n")
    stage.application.enterBackground()
    gate.open()
    try await stage.wait { self.flow.answers == before + 1 }
    await settle()
    stage.application.enterForeground()
    try await stage.wait { self.flow.step == .final(.upToDate) }
    stage.show("Back in front.", window)
  }

  /// Lets the main queue have what was sent to it, and what that has changed be laid out.
  private func settle() async {
    for _ in 0..<2 { await stage.nextTurn() }
  }
}

/// The day that it is in the story.
private final class Today: Sendable {
  let day: Mutex<CalendarDay>

  init(_ day: CalendarDay) { self.day = Mutex(day) }
}
