import Testing

@testable import StatusModel

/// States alone, with a context that only writes down what it is asked for.
@Suite struct StateTests {
  private final class Notebook: StateContext {
    var asked: [String] = []
    var answers: [StatusService.Answer] = []
    var profile = KYSProfile.unknown
    var isOutdated = true
    var isPostponed = false
    var takesLateAnswers = false

    func gotoCheckState() { asked.append("check") }
    func gotoPromptState() { asked.append("prompt") }
    func gotoUpdateState() { asked.append("update") }
    func gotoSaveState(_ status: KYSStatus) { asked.append("save \(status)") }
    func gotoFinalState(_ outcome: Outcome) { asked.append("final \(outcome)") }
    func getStatus(completion: @escaping StatusService.Answer) { answers.append(completion) }
    func saveStatus(_ status: KYSStatus, completion: @escaping StatusService.Answer) {
      answers.append(completion)
    }
    func postpone() { asked.append("postpone") }
    func stepChanged() { asked.append("step") }
  }

  private let context = Notebook()

  @Test func checkingAsksOnce() {
    let state = CheckState(context)
    state.enter()
    #expect(context.answers.isEmpty)
    state.check()
    state.check()
    #expect(context.answers.count == 1)
    context.answers[0](.success(.unknown))
    #expect(context.asked == ["step", "prompt"])
  }

  @Test func savingAsksWhenItIsEntered() {
    let state = SaveState(.negative, context)
    #expect(context.answers.isEmpty)
    state.enter()
    #expect(context.answers.count == 1)
    context.answers[0](.success(.unknown))
    #expect(context.asked == ["final saved"])
  }

  @Test func aStateThatWasLeftActsOnNoAnswer() {
    let check = CheckState(context)
    check.check()
    check.exit()
    let save = SaveState(.negative, context)
    save.enter()
    save.exit()
    for answer in context.answers { answer(.success(.unknown)) }
    #expect(context.asked == ["step"])
  }

  @Test func postponingComesBeforeTheEnd() {
    PromptState(context).cancel()
    UpdateState(context).cancel()
    #expect(context.asked == ["postpone", "final cancelled", "postpone", "final cancelled"])
  }

  @Test func theUserDecidesInThePromptAndOnTheScreen() {
    PromptState(context).update()
    UpdateState(context).save(status: .positive)
    #expect(context.asked == ["update", "save positive"])
  }
}
