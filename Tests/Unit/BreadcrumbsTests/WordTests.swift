import CRecorder
import LogWords
import Testing

/// The words that go through the log, which C and Swift code each have in one place.
@Suite struct WordTests {
  @Test func cAndSwiftSpellThemAlike() {
    #expect(MS_WORD_DID_ENTER_BACKGROUND == "\(LifecycleStep.didEnterBackground.text)")
    #expect(MS_WORD_WILL_ENTER_FOREGROUND == "\(LifecycleStep.willEnterForeground.text)")
    #expect(MS_WORD_DID_RECEIVE_MEMORY_WARNING == "\(LifecycleStep.didReceiveMemoryWarning.text)")
    #expect(MS_WORD_WILL_TERMINATE == "\(LifecycleStep.willTerminate.text)")
    #expect(MS_WORD_PROCESS_EXITED == "\(LifecycleStep.processExited.text)")
    #expect(MS_WORD_DOES_NOT_ANSWER == "\(LogMessage.doesNotAnswer)")
    #expect(MS_WORD_ANSWERS_AGAIN == "\(LogMessage.answersAgain)")
    #expect(MS_WORD_TASKS_WAIT == "\(LogMessage.tasksWait)")
    #expect(MS_WORD_WAITS == "\(LogMessage.waits)")
    #expect(MS_WORD_WAITS_AGAIN == "\(LogMessage.waitsAgain)")
    #expect(MS_WORD_WAITING == "\(LogCategory.waiting)")
    #expect(MS_WORD_BLOCKING == "\(LogCategory.blocking)")
    #expect(MS_KEY_EXECUTOR == LogKey.executor)
    #expect(MS_WORD_HOLDS_IT_TOO == "\(LogMessage.holdsItToo)")
    #expect(MS_WORD_WATCHED_NO_MORE == "\(LogMessage.watchedNoMore)")
    #expect(MS_WORD_ANSWERS == "\(LogMessage.answers)")
    #expect(MS_WORD_ANSWERS_LATE == "\(LogMessage.answersLate)")
    #expect(MS_WORD_LATENCY == "\(LogCategory.latency)")
    #expect(MS_KEY_TASK == LogKey.task)
    #expect(MS_KEY_TASKS == LogKey.tasks)
    #expect(MS_KEY_PLACES == LogKey.places)
    #expect(MS_KEY_MISSED == LogKey.missed)
    #expect(MS_KEY_NEWEST == LogKey.newest)
    #expect(MS_KEY_DURING == LogKey.during)
    #expect(MS_KEY_FOR == LogKey.waitsFor)
    #expect(MS_KEY_TYPE == LogKey.type)
    #expect(MS_KEY_NANOSECONDS == LogKey.nanoseconds)
    #expect(MS_KEY_NAME == LogKey.name)
    #expect(MS_KEY_DOING == LogKey.doing)
    #expect(MS_KEY_QUEUE == LogKey.queue)
    #expect(MS_KEY_THREADS == LogKey.threads)
    #expect(MS_KEY_PRESSURE == LogKey.pressure)
    #expect(MS_KEY_BEATS == LogKey.beats)
    #expect(MS_KEY_MEDIAN == LogKey.median)
    #expect(MS_KEY_NEARLY_ALL == LogKey.nearlyAll)
    #expect(MS_KEY_SLOWEST == LogKey.slowest)
    #expect(MS_KEY_SIGNAL == LogKey.signal)
    #expect(MS_KEY_SENDER == LogKey.sender)
    #expect(MS_KEY_MILLISECONDS == LogKey.milliseconds)
    #expect(MS_KEY_THREAD == LogKey.thread)
    #expect(MS_KEY_THREAD_NAME == LogKey.threadName)
    #expect(MS_KEY_STATUS == LogKey.status)
  }

  @Test func wordsOfToolkitsAreTheSameOnBothSides() {
    #expect(MS_WORD_TOOLKIT == "\(LogCategory.toolkit)")
    #expect(MS_WORD_TOOLKIT_FIX == "\(LogCategory.toolkitFix)")
    #expect(MS_KEY_TOOLKIT == LogKey.toolkit)
    #expect(MS_KEY_CALLS == LogKey.calls)
    #expect(MS_KEY_OWNER == LogKey.owner)
    #expect(MS_KEY_OWNER_NAME == LogKey.ownerName)
    #expect(MS_KEY_OCCURRENCE == LogKey.occurrence)
    #expect(MS_KEY_SCRIPT == LogKey.script)
    #expect(MS_KEY_STARTED_BY == LogKey.startedBy)
    #expect(MS_KEY_STARTED_STACK == LogKey.startedStack)
    #expect(MS_KEY_STARTED_SCRIPT == LogKey.startedScript)
    #expect(MS_KEY_QUEUED_BY == LogKey.queuedBy)
    #expect(MS_KEY_QUEUED_STACK == LogKey.queuedStack)
  }

  @Test func stepsAreKnownByTheirTexts() {
    for step in LifecycleStep.allCases { #expect(LifecycleStep("\(step.text)") == step) }
    #expect(LifecycleStep("did something of its own") == nil)
  }

  @Test(arguments: [
    OriginText(how: "enqueued", site: "App/Feed.swift:12", place: "queue net (thread 41)"),
    OriginText(how: "registered", site: "App/A.swift:1", place: "queue at home on 7 (thread 41)"),
    OriginText(how: "bound", site: "App/Größe.swift:7", place: "thread 9, named on at"),
  ])
  func anOriginIsReadAsItWasWritten(_ origin: OriginText) {
    #expect(OriginText(origin.text) == origin)
  }

  @Test func whatIsNoOriginIsNone() {
    for text in ["", "enqueued", "enqueued at App/Feed.swift:12", " on  at ", "on queue at x"] {
      #expect(OriginText(text) == nil, "\(text)")
    }
    #expect(OriginText.stack("") == nil && OriginText.stack("7f zz") == nil)
    #expect(OriginText.stack(OriginText.text(stack: [0x7f, 0])) == [0x7f, 0])
  }

  @Test func whatHangsIsSpelledAlike() {
    let kinds = [MS_WORD_MAIN_QUEUE, MS_WORD_POOL, MS_WORD_QUEUE, MS_WORD_ACTOR, MS_WORD_LOOP]
    #expect(WatchedKind.allCases.map(\.rawValue) == kinds)
    let doings = [MS_WORD_BLOCKED, MS_WORD_BUSY, MS_WORD_STARVED]
    #expect(HoldersDoing.allCases.map(\.rawValue) == doings)
  }
}
