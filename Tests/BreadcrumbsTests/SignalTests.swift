import Glibc
import IncidentModel
import Testing

/// Signals leave their crumb, and do to the host what they would have done without a recorder.
struct SignalTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs the same host without and with a recorder; both must end alike.
  private func expectNoDifference(
    _ signal: Int32, _ handler: String, _ when: String, sender: String = "raise", times: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Program.Ending {
    func run(_ recorder: String) throws -> Program.Ending {
      let trial = try Program(
        "recorder-trial",
        ["signal", scratch.log, recorder, "\(signal)", handler, when, sender, "\(times)"])
      if sender == "test" {
        for _ in 0..<times where trial.wait(for: "ready") {
          kill(trial.id, signal)
          usleep(100_000)
          trial.letGoOn()
        }
      }
      return trial.end()
    }
    let without = try run("without")
    let with = try run("with")
    #expect(with.status == without.status, sourceLocation: sourceLocation)
    #expect(with.lines == without.lines, sourceLocation: sourceLocation)
    return with
  }

  private func events() throws -> [String] {
    try scratch.incident().crumbs(of: .lifecycle).compactMap { crumb in
      crumb["signal"].map { "\(crumb.message) \($0)" }
    }
  }

  @Test(arguments: [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT"), (SIGHUP, "SIGHUP")])
  func aSignalThatEndsTheProcessStillDoes(signal: Int32, name: String) throws {
    for sender in ["raise", "test"] {
      let ending = try expectNoDifference(signal, "none", "after", sender: sender)
      #expect(ending.signal == signal)
      #expect(try events() == ["will terminate \(name)"])
      let sent = try #require(try scratch.incident().crumbs.last?["sender"])
      if sender == "test" { #expect(sent == .integer(Int64(getpid()))) }
      #expect(try scratch.incident().ending == .sudden)
    }
  }

  @Test(
    arguments: ["plain", "info", "chained", "plain+once", "info+once"],
    ["before", "after", "both"])
  func theHostsOwnHandlerIsCalledAsEver(handler: String, when: String) throws {
    // Installed twice, a handler that hands on calls itself without end, recorder or not.
    if handler == "chained" && when == "both" { return }
    let isOnce = handler.contains("once")
    let ending = try expectNoDifference(
      SIGTERM, handler, when, sender: "test", times: isOnce ? 2 : 3)
    if isOnce { #expect(ending.signal == SIGTERM) } else { #expect(ending.exitStatus == 0) }
    // A handler installed later hands on only if it is so kind.
    let seen = try events().count
    switch (handler, when) {
    case (_, "before"): #expect(seen == (isOnce ? 2 : 3))
    case ("chained", _): #expect(seen == 3)
    default: break
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGTSTP])
  func whatTheHostIgnoresStaysIgnored(signal: Int32) throws {
    let ending = try expectNoDifference(signal, "ignore", "before", times: 3)
    #expect(ending.exitStatus == 0)
    #expect(try events().isEmpty)
    _ = try expectNoDifference(signal, "ignore", "after", times: 3)
  }

  @Test func beingStoppedAndContinuedIsBackgroundAndForeground() throws {
    let trial = try Program(
      "recorder-trial",
      ["signal", scratch.log, "with", "\(SIGTSTP)", "none", "after", "test", "2"])
    for _ in 0..<2 {
      #expect(trial.wait(for: "ready"))
      kill(trial.id, SIGTSTP)
      let status = trial.waitForChange()
      #expect(status & 0xff == 0x7f && status >> 8 == SIGTSTP)
      kill(trial.id, SIGCONT)
      usleep(50_000)
      trial.letGoOn()
    }
    #expect(trial.end().exitStatus == 0)
    let turn = ["did enter background SIGTSTP", "will enter foreground SIGCONT"]
    #expect(try events() == turn + turn)
  }

  @Test(
    arguments: ["before", "after"], ["dispatchMain", "runLoop"])
  func aDispatchSourceFiresAsEver(when: String, loop: String) throws {
    for ignoring in ["ignoring", "caring"] {
      let without = try Program.run(
        "recorder-trial", ["source", scratch.log, "without", when, loop, ignoring])
      let with = try Program.run(
        "recorder-trial", ["source", scratch.log, "with", when, loop, ignoring])
      #expect(without.lines == ["fired 3"])
      #expect(with.lines == without.lines)
      #expect(with.status == without.status)
      // libdispatch may take a signal from its file descriptor before any handler runs.
      #expect(try events().count <= 3)
    }
  }

  @Test(.enabled(if: canBeFirst, "this kernel makes no process namespaces here"))
  func theFirstProcessOfAContainerLivesOnAsItWouldWithout() throws {
    for recorder in ["without", "with"] {
      let program = Program.directory + "/recorder-trial"
      let trial = try Program(command: [
        "unshare", "--pid", "--fork", program, "signal", scratch.log, recorder, "\(SIGTERM)",
        "none", "after", "raise", "2",
      ]).end()
      #expect(trial.exitStatus == 0)
      #expect(trial.lines == ["lives, handled 0"])
    }
    #expect(try scratch.incident().process?.id == 1)
    #expect(try !events().isEmpty)
  }

  static let canBeFirst: Bool = {
    (try? Program(command: ["unshare", "--pid", "--fork", "true"]).end())?.exitStatus == 0
  }()
}
