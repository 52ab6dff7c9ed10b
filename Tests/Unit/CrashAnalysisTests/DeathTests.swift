import IncidentModel
import Testing

@testable import CrashAnalysis

/// What a process died of, by its own words first.
@Suite("What a process died of") struct DeathTests {
  private func source(_ texts: [Crash.Text], signal: Int = 4, address: UInt64? = nil) -> Crash {
    var crash = Crash(
      monotonic: 1, wall: 1, signal: signal, code: 1, address: address, sender: nil, kernelID: 7)
    crash.texts = texts
    crash.stage = .recorded
    return crash
  }

  @Test(
    "The runtimes' words name the kind, and what they say beyond it stands in the headline",
    arguments: [
      (
        "a/b.swift:1: Fatal error: the ledger does not add up", "fatal-error",
        "the ledger does not add up"
      ),
      (
        "a.swift:2: Fatal error: Unexpectedly found nil while unwrapping an Optional value",
        "unwrapped-nil", ""
      ),
      ("Swift/Array.swift:3: Fatal error: Index out of range", "out-of-bounds", ""),
      ("a.swift:4: Precondition failed: one is not two", "precondition", "one is not two"),
      ("a.swift:4: Precondition failed", "precondition", ""),
      (
        "a.swift:5: Fatal error: order 7 is out of bounds", "out-of-bounds",
        "order 7 is out of bounds"
      ),
      (
        "Swift/ErrorType.swift:254: Fatal error: Error raised at top level: bind(): address in use",
        "uncaught-error", "bind(): address in use"
      ),
      (
        "_Concurrency/C.swift:169: Fatal error: SWIFT TASK CONTINUATION MISUSE: load() tried to resume its continuation more than once, returning ()!",
        "continuation-resumed-twice",
        "load() tried to resume its continuation more than once, returning ()!"
      ),
      ("Fatal access conflict detected.", "exclusivity", ""),
      (
        "Object 0x7f deallocated with non-zero retain count 2. This reference was retained during deinit.",
        "freed-object",
        "Object 0x7f deallocated with non-zero retain count 2. This reference was retained during deinit."
      ),
      (
        "NIOPosix/S.swift:214: Fatal error: BUG DETECTED: wait() must not be called when on an EventLoop.",
        "event-loop-wait", "wait() must not be called when on an EventLoop."
      ),
      (
        "NIOPosix/E.swift:9: Fatal error: BUG DETECTED: syncShutdownGracefully() must not be called when on an EventLoop.",
        "event-loop-wait", "syncShutdownGracefully() must not be called when on an EventLoop."
      ),
      (
        "NIOCore/E.swift:9: Precondition failed: the channel's inEventLoop check failed",
        "event-loop-check", "the channel's inEventLoop check failed"
      ),
    ])
  func words(_ text: String, _ kind: String, _ headline: String) {
    let death = Death(CrashReading(source([.swift(text)])), wasAskedFor: false)
    #expect(death.kind.rawValue == kind)
    #expect(death.shortMessage == headline)
    #expect(death.isSaid)
  }

  @Test("Without words the signal and its address name the kind")
  func signals() {
    func kind(_ signal: Int, _ address: UInt64? = nil) -> Death.Kind {
      Death(CrashReading(source([], signal: signal, address: address)), wasAskedFor: false).kind
    }
    #expect(kind(11, 0) == .null)
    #expect(kind(11, 4096) == .badAccess)
    #expect(kind(7, 1 << 30) == .unreadableMapping)
    #expect(kind(8) == .divisionByZero)
    #expect(kind(31) == .badSystemCall)
    #expect(kind(6) == .aborted)
    #expect(kind(4) == .trap)
  }

  @Test("A C assertion's headline is its condition, and heap damage keeps the library's words")
  func cLibrary() {
    let assertion = Death(
      CrashReading(
        source(
          [.cLibrary("till: till.c:32: void f(void): Assertion `sum == 0' failed.")], signal: 6)),
      wasAskedFor: false)
    #expect(assertion.kind == .cAssertion && assertion.shortMessage == "sum == 0")
    let heap = Death(
      CrashReading(source([.cLibrary("free(): double free detected in tcache 2")], signal: 6)),
      wasAskedFor: false)
    #expect(heap.kind == .heapCorruption && heap.shortMessage.hasPrefix("free():"))
  }

  @Test(
    "A message that speaks of the main thread is a claim, unless it is the opposite complaint",
    arguments: [
      ("This method must be called on the main thread.", true),
      ("Modifications to the layout engine must not be performed from a background thread", true),
      ("@MainActor function at f.swift:8 was not called on the main thread", true),
      ("This method must not be called on the main thread.", false),
      ("StrictMode: network should not be used on the main thread", false),
      ("the ledger does not add up", false),
      ("RabbitMQ main queue is full, only 0 slots left", false),
      ("the main queue should drain before more is expected", false),
      ("*** Terminating app due to 'X', reason: '-[A b] must be called on the main thread'", true),
      ("the settings of the main thread are missing", false),
      ("no background thread is left", false),
    ])
  func claims(_ text: String, _ isClaim: Bool) {
    #expect(Death(.fatalError, message: text).claimsOffMain == isClaim)
  }

  @Test("Who blocks an event loop is not told to run on it")
  func waitOnALoop() {
    let death = Death(
      .eventLoopWait, message: "wait() must not be called when on an EventLoop.")
    let advice = death.advice(for: nil)
    #expect(advice.contains("flatMap") && advice.contains("try await get()"))
    #expect(!advice.contains("execute"))
  }

  @Test("A precondition whose words the optimizer left out has those of its line of source")
  func sourceWords() {
    let death = Death(.precondition, message: "precondition failure")
    #expect(death.shortMessage == "")
    #expect(
      death.message(in: #"precondition(count > 0, "a count is needed")"#) == "a count is needed")
    #expect(death.message(in: #"precondition(count > 0, "\(count) is too few")"#) == "")
    #expect(death.message(in: #"let label = map["count"]!"#) == "")
    let overflow = Death(.overflow, message: "arithmetic overflow")
    #expect(overflow.message(in: #"precondition(count > 0, "a count is needed")"#) == "")
  }

  @Test("Words that speak of a deadlock are a claim too")
  func deadlockClaim() {
    #expect(Death(.fatalError, message: "the pool deadlocked").claim == "a deadlock")
    #expect(Death(.fatalError, message: "the ledger does not add up").claim == nil)
  }

  @Test("Each kind has a name, and none says what the record cannot")
  func texts() {
    for kind in Death.Kind.allCases {
      let name = Death(kind, message: "").name(of: source([]))
      #expect(!name.isEmpty)
      #expect(!name.contains("not about"), "\(kind)")
    }
  }

  @Test(
    "Advice names what the line does, and there is none where the line does not tell",
    arguments: [
      (Death.Kind.unwrappedNil, "let shelf = shelves[sku]!", "`shelves[sku]` was nil"),
      (.unwrappedNil, "let name = try! load()!.name", "`load()` was nil"),
      (.unwrappedNil, "  .max()!", "The result of `max()` was nil"),
      (.unwrappedNil, "print(\"well done!\", rows.first)", ""),
      (.unwrappedNil, "show(row.name)  // never nil!", ""),
      (.unwrappedNil, "let rows = map[\"all!\"]!", "`map[\"all!\"]` was nil"),
      (.outOfBounds, "log(\"rows[at]\", rows)", ""), (.null, "puts(\"a->b\");", ""),
      (.unwrappedNil, "if a! != b! {", "unwraps 2 values"), (.unwrappedNil, "if a != b {", ""),
      (.unwrappedNil, "return Int(pair.value!)!", "unwraps 2 values"),
      (.outOfBounds, "let slot = slots[number]", "`number` is not an index of `slots`"),
      (.outOfBounds, "for at in 0..<last { sum += slots[at] }", "`at` is not an index of `slots`"),
      (.null, "return pan->weights[2];", ""), (.null, "return *pan->next;", ""),
      (.outOfBounds, "swap(&rows[a], &rows[b])", ""),
      (.divisionByZero, "let perDay = sold / days", "`days` was 0"),
      (.divisionByZero, "let rate = a / b + c / d", ""),
      (.lostValue, "let short = UInt8(weight)", "`weight` does not fit UInt8"),
      (.failedCast, "let bill = papers[number % 2] as! String", "Use as? String"),
      (.uncaughtError, "let rows = try! parse(0)", "Use try,"),
      (.null, "return pan->tare;", "`pan` was null here"), (.null, "return 7;", ""),
      (.fatalError, "fatalError(\"no rows\")", ""), (.aborted, "abort()", ""),
      (.badAccess, "return shared[1];", ""),
    ])
  func advice(_ kind: Death.Kind, _ line: String, _ words: String) {
    let advice = Death(kind, message: "").advice(for: line)
    #expect(words.isEmpty ? advice.isEmpty : advice.contains(words), "\(advice)")
  }

  @Test("A deinit has no caller that could catch an error")
  func deinitCannotThrow() {
    let line = "try! files.remove(at: url)"
    let death = Death(.uncaughtError, message: "")
    #expect(death.advice(for: line, of: "Scratch.deinit").contains("A deinit cannot throw"))
    #expect(death.advice(for: line, of: "Scratch.clear()").contains("let the caller catch"))
  }

  @Test(
    "A result is calculated in a type of its own, not in that of a parameter",
    arguments: [
      ("func sum(_ rows: [Row]) -> Int32 {", true), ("func sum(_ first: Int32) -> Int {", false),
      ("func sum(_ row: (Int) -> Int32) {", false),
    ])
  func overflow(_ header: String, _ isTold: Bool) {
    let advice = Death(.overflow, message: "").advice(for: "sum += row", in: header)
    #expect(advice.contains("does not fit Int32") == isTold, "\(advice)")
  }

  @Test("A range in the line is the fault only if the message says so")
  func ranges() {
    let death = Death(.outOfBounds, message: "Range requires lowerBound <= upperBound")
    let advice = death.advice(for: "let window = first..<last")
    #expect(advice.contains("`first` was greater than `last`"))
  }

  @Test("A pointer that is no address is none to null, though the kernel reports address 0")
  func aWildPointerIsNotNull() {
    var crash = source([], signal: 11, address: 0)
    #expect(Death(CrashReading(crash), wasAskedFor: false).kind == .null)
    #expect(crash.cause(in: nil) == "SIGSEGV at 0x0")
    crash.code = 0x80
    #expect(Death(CrashReading(crash), wasAskedFor: false).kind == .badAccess)
    #expect(crash.cause(in: nil).hasPrefix("SIGSEGV (non-canonical address "))
  }
}
