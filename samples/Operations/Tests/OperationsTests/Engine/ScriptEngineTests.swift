import Foundation
import Testing

@testable import Operations

/// The real engine, with real scripts.
@Suite struct ScriptEngineTests {
  private let mailbox = Mailbox()
  private let engine = ScriptEngine()

  init() { engine.add(mailbox, name: "jumbo") }

  private static let post =
    "const post = b => window.webkit.messageHandlers.jumbo.postMessage(b);\n"

  /// Loads a script with a function of that body.
  private func load(_ body: String) async -> ScriptError? {
    let script = Self.post + "function start(id) { \(body) }"
    return await engine.load(script)
  }

  /// Loads a script with a function of that body, and calls it.
  private func run(_ body: String, _ id: String = "") async {
    let loading = await load(body)
    #expect(loading == nil)
    let calling = await engine.call("start", id)
    #expect(calling == nil)
  }

  @Test func aScriptIsCalledAndPostsWhatItHasToSay() async throws {
    await run("post('begun ' + id); post('ä 🐘')", "“x”")
    #expect(mailbox.bodies == ["begun “x”", "ä 🐘"])
    #expect(mailbox.messages.allSatisfy { $0.handler == "jumbo" && $0.isText })
  }

  @Test func allOfAScriptRunsOnOneThreadOfItsOwn() async throws {
    let script = """
      post('loaded');
      const start = () => { post('called'); setTimeout(() => post('timer'), 1) };
      """
    let loading = await engine.load(Self.post + script)
    #expect(loading == nil)
    let calling = await engine.call("start")
    #expect(calling == nil)
    try await mailbox.wait(for: 3)
    #expect(mailbox.bodies == ["loaded", "called", "timer"])
    #expect(mailbox.threads.count == 1)
    let main = await MainActor.run { UInt(pthread_self()) }
    #expect(!mailbox.threads.contains(main))
  }

  @Test func whatIsNoTextComesAsJSON() async throws {
    await run("post({a: [1, null]}); post(7); post(); post(() => 1)")
    #expect(mailbox.bodies == [#"{"a":[1,null]}"#, "7", "undefined", "undefined"])
    #expect(mailbox.messages.allSatisfy { !$0.isText })
  }

  @Test func whatHasNoJSONIsTheScriptsToCatch() async throws {
    await run("const o = {}; o.o = o; try { post(o) } catch (e) { post(e.name) }")
    #expect(mailbox.bodies == ["TypeError"])
  }

  // MARK: - Timers

  @Test func timersFireInTheOrderOfTheirTimesWithTheirArguments() async throws {
    await run(
      """
      setTimeout(post, 30, 'last');
      setTimeout(post, 0, 'first');
      setTimeout(post, 10, 'second');
      """)
    try await mailbox.wait(for: 3)
    #expect(mailbox.bodies == ["first", "second", "last"])
  }

  /// As on a busy machine, where the thread gets its turn late.
  @Test func timersThatAreDueAtOnceFireInTheOrderOfTheirTimes() async throws {
    await run(
      """
      setTimeout(post, 3, 'third');
      setTimeout(post, 1, 'first');
      setTimeout(post, 2, 'second');
      setTimeout(post, 3, 'last');
      const end = Date.now() + 20; while (Date.now() < end) {}
      """)
    try await mailbox.wait(for: 4)
    #expect(mailbox.bodies == ["first", "second", "third", "last"])
  }

  @Test func timersThatAreClearedDoNotFire() async throws {
    await run(
      """
      const t = setTimeout(post, 1, 'never');
      clearTimeout(t); clearTimeout(t); clearTimeout(99); clearTimeout();
      setTimeout(post, 20, 'end');
      """)
    try await mailbox.wait(for: 1)
    #expect(mailbox.bodies == ["end"])
  }

  @Test func anIntervalGoesOnUntilItClearsItself() async throws {
    await run(
      """
      let n = 0;
      const t = setInterval(() => {
        post('' + ++n);
        if (n === 3) { clearInterval(t); setTimeout(post, 20, 'end') }
      }, 1);
      """)
    try await mailbox.wait(for: 4)
    #expect(mailbox.bodies == ["1", "2", "3", "end"])
  }

  @Test func aTimerWantsAFunction() async {
    let loading = await load("setTimeout('post(1)', 1)")
    #expect(loading == nil)
    let calling = await engine.call("start")
    #expect(calling?.name == "TypeError")
  }

  @Test func whatATimerThrowsIsToldAndTheOthersGoOn() async throws {
    let told = Mailbox()
    let engine = engine
    engine.onException { told.scriptEngine(engine, didReceive: ScriptMessage(body: "\($0)")) }
    defer { engine.onException { _ in } }
    await run(
      """
      setTimeout(() => { throw new RangeError('too far') }, 1);
      setTimeout(post, 5, 'on');
      """)
    try await mailbox.wait(for: 1)
    #expect(told.bodies == ["RangeError: too far (test.js:2)"])
  }

  // MARK: - Errors

  @Test func aScriptThatCannotBeReadByTheEngineSaysWhere() async {
    let error = await engine.load("let a = 1;\nlet b = ;")
    #expect(error?.name == "SyntaxError")
    #expect(error?.file == "test.js")
    #expect(error?.line == 2)
  }

  @Test func aScriptThatThrowsIsNotLoaded() async {
    let text = await engine.load("throw 'by hand'")
    #expect(text?.message == "by hand")
    let error = await engine.load("nobody()")
    #expect(error?.name == "ReferenceError")
  }

  @Test(arguments: ["", "let start = 3"])
  func aScriptWithoutTheFunctionIsNotLoaded(text: String) async {
    let error = await engine.load(text)
    #expect(error?.message == "test.js does not define start")
  }

  @Test func aCallThatThrowsSaysSoAndTheNextOneIsServed() async {
    let loading = await load("if (id === 'bad') throw new Error('no'); post(id)")
    #expect(loading == nil)
    let bad = await engine.call("start", "bad")
    #expect(bad.map { "\($0)" } == "no (test.js:2)")
    let good = await engine.call("start", "good")
    #expect(good == nil)
    #expect(mailbox.bodies == ["good"])
  }

  @Test func withoutAScriptACallFails() async {
    let error = await engine.call("start")
    #expect(error?.message == "no script is loaded")
  }

  @Test func aScriptThatWasNotLoadedIsGoneWithItsTimers() async {
    _ = await engine.load(Self.post + "setInterval(post, 1, 'on'); throw 'no'")
    let error = await engine.call("start")
    #expect(error?.message == "no script is loaded")
    let count = mailbox.messages.count
    _ = await engine.call("start")
    #expect(mailbox.messages.count == count)
  }

  @Test func aFunctionThatIsNoneAnyMoreCannotBeCalled() async {
    await run("start = 3")
    let error = await engine.call("start")
    #expect(error?.name == "TypeError")
    let gone = await engine.call("nobody")
    #expect(gone?.name == "ReferenceError")
  }

  // MARK: - Lives

  @Test func anotherScriptEndsTheTimersOfTheOneBefore() async throws {
    await run("setInterval(post, 1, 'old')")
    try await mailbox.wait(for: 1)
    await run("post('new'); setTimeout(post, 20, 'end')")
    try await mailbox.wait(for: mailbox.bodies.count { $0 == "old" } + 2)
    #expect(mailbox.bodies.drop { $0 == "old" } == ["new", "end"])
  }

  @Test func aHandlerThatIsGoneIsNotCalled() async {
    engine.add(Mailbox(), name: "gone")
    await run("webkit.messageHandlers.gone.postMessage(''); post('on')")
    #expect(mailbox.bodies == ["on"])
  }

  @Test func anEngineThatIsLetGoOfEndsThoughItsScriptGoesOn() async throws {
    let mailbox = Mailbox()
    weak var kept: Mailbox?
    do {
      let engine = ScriptEngine()
      engine.add(mailbox, name: "jumbo")
      let held = Mailbox()
      kept = held
      engine.onException { _ in _ = held }
      _ = await engine.load(Self.post + "function start() { setInterval(post, 1, 'on') }")
      _ = await engine.call("start")
      try await mailbox.wait(for: 2)
    }
    // What the thread has held is let go of when it has ended.
    let end = ContinuousClock.now + .seconds(20)
    while kept != nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
    #expect(kept == nil)
  }

  /// A crash handler of the process stays in its place.
  @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE])
  func theEngineHandlesNoFaults(signal: Int32) async throws {
    await run("post(id)")
    var action = sigaction()
    #expect(sigaction(signal, nil, &action) == 0)
    let handler = unsafeBitCast(action.__sigaction_handler.sa_sigaction, to: UInt.self)
    #expect(!Self.file(at: handler).contains("javascriptcore"))
  }

  /// The file that an address of this process was mapped from.
  private static func file(at address: UInt) -> String {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    let line = maps.split(separator: "\n").first { line in
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 && (ends[0]..<ends[1]).contains(address)
    }
    return line.map { String($0.split(separator: " ").last ?? "") } ?? ""
  }
}
