import Foundation
import StatusModel
import Testing

@Suite struct StatusMachineTests {
  @Test func anOutdatedStatusIsPromptedUpdatedAndSaved() throws {
    let test = try MachineUnderTest()
    test.machine.check()
    test.service.answer(test.outdated)
    test.machine.update()
    test.machine.save(status: .positive)
    let saved = KYSProfile(status: .positive, lastCheck: test.today)
    guard case .save(saved, _)? = test.service.requests.first else {
      Issue.record("the day of the check is not what it is saved with")
      return
    }
    test.service.answer(test.outdated)
    #expect(
      test.steps == [
        .check(isAsking: true), .prompt(test.outdated), .update(test.outdated),
        .save(.positive, failure: nil), .final(.saved),
      ])
    #expect(test.machine.profile == saved)
  }

  @Test func aFreshStatusIsNotAskedFor() throws {
    let test = try MachineUnderTest(.checking)
    test.service.answer(try profile(checked: "2020-01-01"))
    #expect(test.machine.step == .final(.upToDate))
  }

  @Test func whoHasPostponedIsLeftAlone() throws {
    let test = try MachineUnderTest(.checking, policy: .days(7))
    test.postponements.postponement = Postponement(day: test.today, launch: UUID())
    test.service.answer(test.outdated)
    #expect(test.machine.step == .final(.leftAlone))
  }

  @Test func aStatusThatCannotBeCheckedBothersNobody() throws {
    let test = try MachineUnderTest(.checking)
    test.service.fail()
    #expect(test.machine.step == .final(.unchecked(StatusError("no network"))))
  }

  @Test func aSaveThatFailedIsMadeAgainAndForgetsItsFailure() throws {
    let test = try MachineUnderTest(.saveFailed)
    test.machine.save(status: .negative)
    #expect(test.machine.step == .save(.negative, failure: nil))
    test.service.fail("still none")
    #expect(test.machine.step == .save(.negative, failure: StatusError("still none")))
    test.machine.save(status: .negative)
    test.service.answer(test.outdated)
    #expect(test.machine.step == .final(.saved))
  }

  @Test func whatIsSavedIsPostponedNoMore() throws {
    let test = try MachineUnderTest(.saving)
    test.postponements.postponement = Postponement(day: test.today, launch: UUID())
    test.service.answer(test.outdated)
    #expect(test.postponements.postponement == nil)
  }

  @Test func anAnswerThatComesTwiceSaysNothingNew() throws {
    let test = try MachineUnderTest(.saving)
    let first = try #require(test.service.requests.first)
    test.service.fail()
    test.machine.save(status: .positive)
    first.answer(.failure(StatusError("again")))
    #expect(test.machine.step == .save(.positive, failure: nil))
  }

  @Test(arguments: [MachineUnderTest.Place.checking, .saving])
  func anAnswerThatComesAfterCancelIsIgnored(place: MachineUnderTest.Place) throws {
    for isFailure in [false, true] {
      let test = try MachineUnderTest(place)
      test.machine.cancel()
      if isFailure { test.service.fail() } else { test.service.answer(test.outdated) }
      #expect(test.machine.step == .final(.cancelled))
    }
  }

  @Test func withoutTheCheckALateAnswerPromptsAgain() throws {
    let test = try MachineUnderTest(.checking, takesLateAnswers: true)
    test.machine.cancel()
    test.service.answer(test.outdated)
    #expect(test.machine.step == .prompt(test.outdated))
  }

  @Test func aMachineThatIsGoneHearsNoAnswer() throws {
    var test: MachineUnderTest? = try MachineUnderTest(.checking)
    let service = try #require(test?.service)
    weak let machine = test?.machine
    test = nil
    #expect(machine == nil)
    #expect(service.fail())
  }
}
