import AffinityTesting
import Foundation
import HeadlessUI
import LoopbackHTTP
import StatusModel
import Testing

@testable import StatusPrompt

/// The process on the screen, against a real server.
@MainActor
@Suite(.affinityChecked) struct StatusFlowTests {
  @Test func anOutdatedStatusIsPromptedAfterTheLaunch() async throws {
    let app = try App()
    #expect(app.flow.step == nil)
    app.application.launch()
    #expect(app.text.contains("checking your status …"))
    try await app.settle()
    #expect(
      app.text == """
        ┌─ App ──────────────────────────────────────┐
        │┌─ Know your status ───────────────────────┐│
        ││Your KYS is outdated (HIV-negative, last  ││
        ││check: November 2019). Would you like to  ││
        ││update it?                                ││
        ││                                          ││
        ││[ Update ] [ Not now ]                    ││
        ││                                          ││
        ││                                          ││
        │└──────────────────────────────────────────┘│
        └────────────────────────────────────────────┘
        """)
  }

  @Test func aFreshStatusIsShownAndNothingIsAsked() async throws {
    let app = try App(checked: "2019-12-23")
    try await app.launch()
    #expect(app.flow.step == .final(.upToDate))
    #expect(app.text.contains("HIV-negative, last check: December 2019"))
    #expect(app.window.button("Update") == nil)
  }

  @Test func whoPostponesIsAskedAgainAWeekLater() async throws {
    let app = try App()
    try await app.launch()
    app.tap("Not now")
    #expect(app.flow.step == .final(.cancelled))
    app.comeBack(after: 6)
    try await app.settle()
    #expect(app.flow.step == .final(.leftAlone))
    app.comeBack(after: 1)
    try await app.settle()
    #expect(app.window.button("Update") != nil)
  }

  @Test func orAfterTheNextLaunchWhereThatIsThePolicy() async throws {
    let app = try App(policy: .untilNextLaunch)
    try await app.launch()
    app.tap("Not now")
    app.comeBack(after: 300)
    try await app.settle()
    #expect(app.flow.step == .final(.leftAlone))
    let next = try App(policy: .untilNextLaunch, postponed: app.postponed)
    try await next.launch()
    #expect(next.window.button("Update") != nil)
  }

  @Test func theScreenHasCancelAndSave() async throws {
    let app = try App()
    try await app.goToUpdate()
    #expect(
      app.text == """
        ┌─ App ──────────────────────────────────────┐
        │┌─ Update your status ─────────────────────┐│
        ││What has your check of this month said?   ││
        ││                                          ││
        ││[ ○ HIV-positive ]                        ││
        ││[ ● HIV-negative ]                        ││
        ││                                          ││
        ││[ Cancel ] [ Save ]                       ││
        ││                                          ││
        │└──────────────────────────────────────────┘│
        └────────────────────────────────────────────┘
        """)
    app.tap("Cancel")
    #expect(app.flow.step == .final(.cancelled))
    #expect(app.home.presentedViewController == nil)
    #expect(app.home.isVisible)
    #expect(app.server.requests == ["GET"])
  }

  @Test func savingClosesTheScreenAndUpdatesTheProfile() async throws {
    let app = try App()
    try await app.goToUpdate()
    let gate = app.server.hold()
    app.tap("○ HIV-positive")
    app.tap("Save")
    #expect(app.home.presentedViewController == nil)
    #expect(app.text.contains("saving: HIV-positive …"))
    #expect(app.application.backgroundTasks == ["save status"])
    gate.open()
    try await app.settle()
    #expect(app.text.contains("HIV-positive, last check: June 2020"))
    #expect(app.server.profile == (try profile(.positive, checked: "2020-06-23")))
    try await app.wait { app.application.backgroundTasks.isEmpty }
  }

  @Test(arguments: ["server", "connection", "answer"])
  func aSaveThatFailsIsSaidAndCanBeTriedAgain(fault: String) async throws {
    let app = try App()
    try await app.goToUpdate()
    let answers: [String: (HTTPResponse, String)] = [
      "server": (.status(503), "the server answered 503"),
      "connection": (.hangUp, "there is no connection"),
      "answer": (.text("[]"), "the answer could not be read"),
    ]
    let (answer, reason) = try #require(answers[fault])
    app.server.failNext(with: answer)
    app.tap("Save")
    try await app.settle()
    let activity = app.window.first(labelled: "activity") as? Label
    #expect(activity?.text == "not saved: HIV-negative, \(reason)")
    #expect(app.text.contains("November 2019"))
    app.tap("Try again")
    #expect(app.window.button("Try again") == nil)
    try await app.settle()
    #expect(app.flow.step == .final(.saved))
    #expect(app.server.requests == ["GET", "PUT", "PUT"])
  }

  @Test func whoGivesUpSavingIsAskedAgain() async throws {
    let app = try App()
    try await app.goToUpdate()
    app.server.failNext()
    app.tap("Save")
    try await app.settle()
    app.tap("Discard")
    #expect(app.flow.step == .final(.cancelled))
    #expect(app.window.button("Try again") == nil)
    app.comeBack()
    try await app.settle()
    #expect(app.window.button("Update") != nil)
  }

  @Test func aStatusThatCannotBeCheckedIsCheckedWhenTheAppIsBack() async throws {
    let app = try App()
    app.server.failNext()
    try await app.launch()
    #expect(app.text.contains("your status could not be checked"))
    app.comeBack()
    try await app.settle()
    #expect(app.window.button("Update") != nil)
  }

  @Test func whoIsInTheMidstOfItStaysThere() async throws {
    let app = try App()
    try await app.goToUpdate()
    app.comeBack()
    #expect(app.window.button("Save") != nil)
    #expect(app.server.requests == ["GET"])
  }

  @Test func whoNeverSaidAnythingChoosesBeforeTheyCanSave() async throws {
    let service = HeldService()
    let app = try App(service: service)
    app.application.launch()
    service.answer(.unknown)
    try await app.settle()
    app.tap("Update")
    #expect(app.text.contains("( Save )"))
    app.tap("Save")
    #expect(app.window.button("Save") != nil)
    app.tap("○ HIV-negative")
    #expect(app.text.contains("[ Save ]"))
  }

  @Test func anAnswerInTheBackgroundIsShownInFront() async throws {
    let service = HeldService()
    let app = try App(service: service)
    app.application.launch()
    app.application.enterBackground()
    let before = app.text
    service.answer(try profile(checked: "2019-11-23"))
    try await app.answers(1)
    #expect(app.text == before)
    app.application.enterForeground()
    #expect(app.window.button("Update") != nil)
  }

  @Test func aSaveWhoseTimeInTheBackgroundIsUpIsShownWhenItComes() async throws {
    let app = try App()
    try await app.goToUpdate()
    let gate = app.server.hold()
    app.tap("Save")
    app.application.enterBackground()
    app.application.expireBackgroundTasks()
    #expect(app.application.backgroundTasks.isEmpty)
    gate.open()
    try await app.answers(2)
    app.application.enterForeground()
    try await app.wait { app.text.contains("June 2020") }
  }

  @Test func whoSignsOutIsAskedNothingMore() async throws {
    let service = HeldService()
    let app = try App(service: service)
    app.application.launch()
    app.tap("Sign out")
    service.answer(try profile(checked: "2019-11-23"))
    try await app.answers(1)
    #expect(app.window.button("Update") == nil)
    #expect(app.text.contains("signed out"))
    app.comeBack()
    #expect(service.requests.isEmpty)
    app.tap("Sign in")
    #expect(service.requests.count == 1)
    #expect(app.text.contains("status unknown"))
  }
}
