import Glibc
import IncidentModel
import ProcessTesting
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
          // Taken by the main thread before it returns from its wait for what comes next.
          trial.signal(signal)
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
      #expect(try scratch.incident().ending == .terminated(signal: Int(signal)))
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
      trial.signal(SIGTSTP)
      let status = trial.waitForChange()
      #expect(status & 0xff == 0x7f && status >> 8 == SIGTSTP)
      trial.signal(SIGCONT)
      trial.letGoOn()
    }
    #expect(trial.end().exitStatus == 0)
    let turn = ["did enter background SIGTSTP", "will enter foreground SIGCONT"]
    #expect(try events() == turn + turn)
  }

  /// Runs the same host without and with a recorder, and sends it signals, each when it has taken the
  /// one before: it must take all, and leave a crumb for each, with its sender.
  private func expectCrumbs(
    _ trial: String, _ signal: Int32, _ arguments: [String], listeners: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let times = 10
    func run(_ recorder: String) throws -> Program.Ending {
      let host = try Program(
        "recorder-trial", [trial, scratch.log, recorder, "\(signal)"] + arguments)
      #expect(host.wait(for: "ready"))
      for _ in 0..<times {
        kill(host.id, signal)
        for _ in 0..<listeners where !host.wait(for: "fired") { break }
      }
      host.letGoOn()
      return host.end()
    }
    let without = try run("without")
    let with = try run("with")
    #expect(with.lines == without.lines, sourceLocation: sourceLocation)
    #expect(with.status == without.status, sourceLocation: sourceLocation)
    let crumbs = try scratch.incident().crumbs(of: .lifecycle).filter { $0["signal"] != nil }
    #expect(crumbs.count == times, sourceLocation: sourceLocation)
    #expect(
      crumbs.allSatisfy { $0["sender"] == .integer(Int64(getpid())) },
      "\(crumbs.map { $0["sender"] })", sourceLocation: sourceLocation)
  }

  @Test(
    "a dispatch source fires as ever, whoever came first, and each signal leaves one crumb",
    arguments: [
      "open,make,activate", "make,open,activate", "make,activate,open",
      "ignore,open,make,activate", "open,ignore,make,activate",
      "open,make,activate,cancel,make,activate", "make,activate,cancel,open,make,activate",
      "make,activate,open,close,open", "open,close,open,make,activate",
      "open,make,activate,make,activate", "make,activate,open,make,activate",
    ])
  func aDispatchSourceFiresAsEver(steps: String) throws {
    let taken = steps.split(separator: ",")
    let listeners = taken.count { $0 == "activate" } - taken.count { $0 == "cancel" }
    try expectCrumbs("source", SIGTERM, [steps, "dispatchMain"], listeners: listeners)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP], ["dispatchMain", "runLoop"])
  func aDispatchSourceFiresForEverySignal(signal: Int32, loop: String) throws {
    try expectCrumbs("source", signal, ["open,make,activate", loop])
  }

  /// Without `waitedSignals` nothing stands between libdispatch and the kernel.
  @Test(arguments: ["standard", "told"])
  func aSignalThatASourceTakesIsRecordedWhereTheHostSaysSo(recorder: String) throws {
    try killAfterThreeSignals(recorder, "open,make,activate")
    let incident = try scratch.incident()
    #expect(try events() == (recorder == "told" ? ["will terminate SIGTERM"] : []))
    #expect(incident.ending == (recorder == "told" ? .terminated(signal: Int(SIGTERM)) : .killed))
  }

  /// An adapter adds `waitedSignals` to the standard set before the host makes its source, and may do so twice.
  @Test(
    arguments: [
      "open,adapt,make,activate", "open,adapt,adapt,make,activate",
      "open,adapt,close,open,adapt,make,activate",
    ])
  func aSignalThatASourceTakesIsRecordedForAnAdapter(steps: String) throws {
    try killAfterThreeSignals("standard", steps)
    let incident = try scratch.incident()
    #expect(try events() == Array(repeating: "will terminate SIGTERM", count: 3))
    let crumbs = incident.crumbs(of: .lifecycle).filter { $0["signal"] != nil }
    #expect(crumbs.allSatisfy { $0["sender"] == .integer(Int64(getpid())) })
    #expect(incident.ending == .terminated(signal: Int(SIGTERM)))
  }

  /// Kills a host with a dispatch source, after SIGTERM was sent three times and has fired each time.
  private func killAfterThreeSignals(_ recorder: String, _ steps: String) throws {
    let host = try Program(
      "recorder-trial", ["source", scratch.log, recorder, "\(SIGTERM)", steps, "dispatchMain"])
    #expect(host.wait(for: "ready"))
    for _ in 0..<3 {
      host.signal(SIGTERM)
      #expect(host.wait(for: "fired"))
    }
    host.signal(SIGKILL)
    _ = host.end()
  }

  @Test(arguments: [
    ("standard", [SIGTERM, SIGINT, SIGHUP]),
    ("all", [SIGTERM, SIGINT, SIGHUP, SIGTSTP, SIGCONT]),
  ])
  func onlyWhatIsAskedForIsCaught(automatic: String, signals: [Int32]) throws {
    let trial = try Program.run("recorder-trial", ["caught", scratch.log, automatic])
    #expect(trial.lines == signals.map { "\($0)" })
  }

  @Test(arguments: ["sigwait", "sigwaitinfo", "sigtimedwait", "signalfd"])
  func aHostThatTakesItsSignalsFromTheKernelStillDoes(way: String) throws {
    try expectCrumbs("wait", SIGTERM, [way])
  }

  @Test(
    .notUnderQemu("qemu has a thread of its own, and its own masks"),
    arguments: ["open", "blocking"])
  func theRecordersThreadTakesNoSignalOfTheHosts(opener: String) throws {
    let ending = try Program.run("recorder-trial", ["masks", scratch.log, opener])
    let masks = ending.lines.compactMap { line in
      line.hasPrefix("mask ") ? UInt64(line.dropFirst(5), radix: 16) : nil
    }
    try #require(masks.count == 1, "\(ending.lines)")
    // A fault must reach its handler, and SIGPROF stops a thread for whoever looks at it.
    var open = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGPIPE]
    if opener == "open" { open.append(SIGPROF) }
    // The kernel keeps these two open, the C library the two that are its own.
    open += [SIGKILL, SIGSTOP, 32, 33]
    let expected = open.reduce(~UInt64(0)) { $0 & ~(1 << UInt64($1 - 1)) }
    #expect(masks[0] == expected, "\(String(masks[0] ^ expected, radix: 16)) differ")
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
