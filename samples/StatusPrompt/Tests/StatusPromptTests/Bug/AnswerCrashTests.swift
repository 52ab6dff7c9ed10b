import AffinityTesting
import CrashTesting
import Foundation
import HeadlessUI
import StatusModel
import Testing

@testable import StatusPrompt

/// The three faults of answers, and their fixes.
@Suite struct AnswerCrashTests {
  @Test func withoutAHopTheCheckedStatusMovesTheScreenOffMainAndEndsTheProcess() async {
    await expectCrash(
      .unhoppedCallback, culprit: "closure #1 in CheckState.check()", within: .seconds(20)
    ) {
      Task { @MainActor in
        let app = try App([])
        app.application.launch()
        app.window.layoutIfNeeded()
        try await app.wait { false }
      }
    }
  }

  @MainActor
  @Test func withoutAHopASavedStatusMovesTheScreenOffMain() async throws {
    let service = HeldService()
    let app = try App([], service: service)
    // In no window nothing is laid out, so that the process goes on.
    app.window.rootViewController = nil
    app.application.launch()
    service.answer(try profile(checked: "2020-01-01"))
    app.comeBack()
    let violations = await expectViolation(of: .main, in: "show(_:)") {
      await withCheckedContinuation { done in
        DispatchQueue(label: "test.network").async {
          service.fail()
          done.resume()
        }
      }
    }
    #expect(violations.first?.message == "status screens")
  }

  @MainActor
  @Test func aHopAloneAsksWhoHasSignedOut() async throws {
    let service = HeldService()
    let app = try App(.hops, service: service)
    try await expectNoViolations {
      app.application.launch()
      app.tap("Sign out")
      service.answer(try profile(checked: "2019-11-23"))
      try await app.wait { app.window.button("Update") != nil }
    }
  }

  @MainActor
  @Test func aHopAndCareForOrderStillMoveTheScreenUnseen() async throws {
    let service = HeldService()
    let app = try App([.hops, .ignoresLate], service: service)
    try await expectNoViolations {
      app.application.launch()
      app.application.enterBackground()
      service.answer(try profile(checked: "2019-11-23"))
      try await app.wait { app.window.button("Update") != nil }
    }
    #expect(app.application.applicationState == .background)
  }

  @MainActor
  @Test func withAllCareTheWholeStoryEndsWell() async throws {
    let app = try App()
    try await expectNoViolations {
      try await app.goToUpdate()
      let gate = app.server.hold()
      app.tap("Save")
      app.application.enterBackground()
      gate.open()
      try await app.answers(2)
      app.application.enterForeground()
      try await app.wait { app.flow.step == .final(.upToDate) }
    }
    #expect(app.text.contains("June 2020"))
  }
}
