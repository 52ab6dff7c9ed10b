import IncidentModel
import Testing

@testable import ReportReading

/// What sentences say of where code belongs: paraphrases are made from parts, so that no list of sentences
/// would pass.
@Suite struct ThreadClaimTests {
  private static let subjects = [
    "This method", "-[ORPress squeeze:]", "Press.squeeze(_:)", "nextEventMatchingMask", "Views",
    "The layer of <ORPress: 0x104a41f2c>", "+[ORCrate(Private) pack]", "It",
    "UIApplication.delegate",
  ]
  private static let mains = [
    "the main thread", "main thread", "the Main Thread", "the main queue", "the UI thread",
    "the application's main thread", "main thread!", "the main application thread", "the MainActor",
  ]
  private static let others = [
    "a background thread", "background threads", "a non-main thread", "secondary threads",
    "any background queue",
  ]
  private static let acts = ["called", "used", "accessed", "invoked", "created", "modified", "run"]
  private static let duties = [
    "must be", "should be", "must only be", "can only be", "needs to be",
  ]

  /// Each part in turn beside the first of the others, and a walk through all of them together.
  private static func sentences(
    _ parts: [[String]], _ make: ([String]) -> String
  ) -> [String] {
    var made: Set<String> = []
    let longest = parts.map(\.count).max() ?? 0
    for (place, part) in parts.enumerated() {
      for word in part {
        var words = parts.map { $0[0] }
        words[place] = word
        made.insert(make(words))
      }
    }
    for step in 0..<(longest * 7) {
      made.insert(
        make(
          parts.enumerated().map {
            $0.element[(step * ($0.offset + 1) + step / 5) % $0.element.count]
          }))
    }
    return made.sorted()
  }

  private static let belongings =
    sentences([subjects, duties, acts, ["on", "from"], mains]) {
      "\($0[0]) \($0[1]) \($0[2]) \($0[3]) \($0[4])"
    }
    + sentences([subjects, acts, others]) { "\($0[0]) must not be \($0[1]) from \($0[2])." }
    + sentences([subjects, acts, mains]) { "\($0[0]) was not \($0[1]) on \($0[2])" }
    .filter { !$0.contains("created") && !$0.contains("not run") }
    + sentences([acts, mains]) { "\($0[0]) off \($0[1]) is not allowed" }
    .filter { !$0.contains("!") }
    + sentences([["Expected", "expected", "Requires"], mains]) {
      "\($0[0]) \($0[1]) but was pool-1-thread-2"
    }
    + sentences([["Cannot invoke setValue", "Method cannot be called"], others]) {
      "\($0[0]) on \($0[1])"
    }
    + sentences([
      ["Tried to", "Attempted to"], ["access the board", "update a view", "present a sheet"],
      ["off", "outside", "from outside"], mains,
    ]) { "\($0[0]) \($0[1]) \($0[2]) \($0[3])" }
    + sentences([["permitted", "allowed", "safe"], mains]) {
      "Updates are only \($0[0]) on \($0[1])"
    }

  /// Claims about whichever thread an object belongs to.
  private static let owners =
    sentences([
      subjects, ["used", "accessed", "called"], ["from", "on"],
      [
        "the wrong thread", "an incorrect thread", "a thread other than the one it was created on",
        "a thread other than the thread that owns it",
      ],
    ]) { "\($0[0]) was \($0[1]) \($0[2]) \($0[3])" }
    + sentences([
      subjects, duties, acts, ["the same thread", "its own queue", "the creating thread"],
    ]) {
      "\($0[0]) \($0[1]) \($0[2]) on \($0[3])"
    }
    + sentences([
      ["Cannot", "Illegal attempt to"], ["access", "update", "use"], ["another", "a different"],
    ]) {
      "\($0[0]) \($0[1]) the store from \($0[2]) thread"
    }

  @Test func paraphrasesOfWhatBelongsToAnObjectsThreadAreUnderstood() {
    #expect(Self.owners.count > 80)
    #expect(Self.owners.filter { ThreadClaim($0)?.required != .owner } == [])
  }

  @Test(arguments: [
    "cannot acquire lock held by another thread", "deadlock: resource is used by another thread",
    "Could not start background thread", "Failed to post to main thread: looper is dead",
    "invalid queue: main queue expected a label", "invalid thread count 3", "Wrong thread name",
    "the other thread must be joined first", "Another thread is already updating this view",
    "view was removed by a different thread while updating", "Request timed out on the main queue",
    "a task was cancelled because the UI thread is shutting down", "Only one thread may call run()",
    "Tasks on the main actor may not be cancelled", "background thread pool exhausted",
  ])
  func whatOnlySpeaksOfThreadsClaimsNothing(_ text: String) {
    #expect(Messages.meaning(ofReason: text) == nil)
  }

  @Test func paraphrasesOfWhatBelongsToTheMainThreadAreUnderstood() {
    #expect(Self.belongings.count > 200)
    let missed = Self.belongings.filter { ThreadClaim($0)?.required != .main }
    #expect(missed == [])
  }

  @Test func theOppositeComplaintIsNoSuchClaim() {
    let opposites =
      Self.sentences([Self.subjects, Self.acts, Self.mains]) {
        "\($0[0]) must not be \($0[1]) on \($0[2])"
      }
      + Self.sentences([Self.subjects, Self.acts, Self.mains]) {
        "\($0[0]) should never be \($0[1]) from \($0[2])"
      }
      + Self.sentences([Self.subjects, Self.acts, Self.others]) {
        "\($0[0]) must be \($0[1]) from \($0[2])"
      }
      + [
        "Cannot access database on the main thread since it may lock the UI",
        "Must not be called on the main application thread",
        "Calling this from your main thread can lead to deadlock",
        "Synchronous requests are not allowed on the main thread",
        "NetworkOnMainThreadException: network on the main thread",
      ]
    #expect(opposites.filter { ThreadClaim($0)?.required == .main } == [])
  }

  @Test(arguments: [
    "Index out of range", "the main thread is busy", "main thread checker enabled",
    "Deadlock: dispatch_sync called on the main thread", "queue main is full",
    "RabbitMQ main queue is full, only 0 slots left",
    "Thread 0 is the main thread", "unexpected end of the main queue",
    "has been accessed from the main thread", "the main window was closed",
    "unrecognized selector sent to instance 0x600001c2a340",
    "Task was cancelled while it ran on a background thread",
  ])
  func whatClaimsNothingIsLeftAlone(_ text: String) {
    #expect(ThreadClaim(text)?.required != .main)
  }

  @Test(arguments: [
    "modifying properties of a view's layer off the main thread is not allowed: view <ORPress: 0x1>",
    "+[NSUndoManager(NSInternal) _endTopLevelGroupings] is only safe to invoke on the main thread.",
    "NSWindow drag regions should only be invalidated on the Main Thread!",
    "nextEventMatchingMask should only be called from the Main Thread!",
    "should be called from the main thread. sMainLooper.threadName=main Thread.currentThread()=Bg",
    "Can't toast on a thread that has not called Looper.prepare()",
    "pid(9)/euid(5) is calling TIS/TSM in non-main thread environment, ERROR : This is NOT allowed.",
    "Assertion failed: ([NSThread isMainThread]), function squeeze, file ORPress.m, line 12.",
    "Publishing changes from background threads is not allowed",
    "Modifications to the layout engine must not be performed from a background thread after it has "
      + "been accessed from the main thread.",
  ])
  func sentencesOfFrameworksAreUnderstood(_ text: String) {
    #expect(ThreadClaim(text)?.required == .main)
  }

  @Test func anObjectsOwnThreadIsAnotherClaim() {
    #expect(ThreadClaim("Realm accessed from incorrect thread.")?.required == .owner)
    #expect(ThreadClaim("close() must be called on the event loop")?.required == .eventLoop)
  }

  /// In a log only a flat claim about a method or about UI counts; advice and prose do not.
  @Test(arguments: [
    "Please make sure that views are only used on the main thread",
    "If you update views, it must be done on the main thread",
    "The delegate must be called on the main thread",
    "TODO: -[A b] must be called on the main thread",
  ])
  func adviceInALogIsNoComplaint(_ text: String) {
    #expect(Messages.meaning(ofComplaint: text) == nil)
  }

  @Test func aComplaintNamesItsMethod() {
    #expect(
      Messages.meaning(ofComplaint: "-[ORPress squeeze] must be called from main thread")
        == .offMainUI(api: "-[ORPress squeeze]"))
  }
}
