import CrashAnalysis
import IncidentModel
import Testing

@Suite("Threads that stood or computed")
struct StandingThreadTests {
  @Test(
    "A cancelled task that computes lasts to the end only in a shutdown",
    arguments: ["shutdown", "request"])
  func cancelledTask(during: String) throws {
    let run = MadeUpRun(.terminated(signal: 15))
    run.signs.takesAsk = true
    for (place, leaf) in ["Poller.add()", "Poller.look()"].enumerated() {
      run.add(
        thread: 7, "busy", during, isFirst: place == 0,
        [("cancelled", .boolean(true)), ("task", .integer(3))], [leaf, "Poller.poll() at 12"])
    }
    let finding = try #require(try run.finding("busy-task"))
    #expect(finding.culprit?.function == "Poller.poll()")
    #expect(
      finding.title == "Poller.poll() (Till.swift:12) goes on computing though task 3 is cancelled"
        || during == "shutdown")
    #expect(finding.lastsToEnd == (during == "shutdown"))
    #expect(finding.severity == (during == "shutdown" ? .error : .warning))
  }

  @Test("A task that is not cancelled, and a run that ended by itself, leave no finding")
  func others() throws {
    for (ending, cancelled) in [(RunEnding.terminated(signal: 15), false), (.clean, true)] {
      let run = MadeUpRun(ending)
      run.add(
        thread: 7, "busy", "shutdown", isFirst: true, [("cancelled", .boolean(cancelled))],
        ["Poller.poll() at 12"])
      #expect(try run.finding("busy-task") == nil)
    }
  }

  @Test(
    "A thread that waits for input is evidence only if no service or task explains the end, and comes last",
    arguments: [false, true])
  func inputThreads(hasService: Bool) throws {
    let run = MadeUpRun(.terminated(signal: 15))
    run.signs.takesAsk = true
    if hasService {
      for what in ["begins", "is asked to end"] {
        run.add(.note, "service \(what)", [("service", .string("mails"))], category: "service")
      }
    }
    let calls = ["accept", "__GI___poll", "__libc_recv", "__pthread_cond_wait", "nanosleep"]
    for (place, call) in calls.enumerated() {
      // Thread 10 waits for a lock of thread 11, which sleeps.
      run.add(
        thread: 7 + place, "blocked", "shutdown", isFirst: place == 0,
        place == 3 ? [("owner", .integer(11))] : [],
        ["libc.so.6!\(call)", "Till.serve\(place)()"])
    }
    let places = try #require(try run.finding("unclean-end")).evidence.compactMap(\.place?.function)
    #expect(places == ["Till.serve3()", "Till.serve4()"] + (hasService ? [] : ["Till.serve0()"]))
  }

  @Test("Only a cycle of owners is a deadlock, and only in one list")
  func owners() throws {
    for (owners, isDeadlock) in [
      ([8, 7], true), ([8, 9], false), ([9, 9], false), ([7, 8], false),
    ] {
      let run = MadeUpRun(.killed)
      for (thread, owner) in zip([7, 8], owners) {
        run.add(
          thread: thread, "blocked", "request", isFirst: thread == 7,
          [("owner", .integer(Int64(owner)))],
          ["libpthread.so!pthread_mutex_lock", "Till.take\(thread)()"])
      }
      #expect((try run.finding("sync-deadlock") != nil) == isDeadlock, "\(owners)")
    }
    let run = MadeUpRun(.killed)
    run.add(
      thread: 7, "blocked", "request", isFirst: true, [("owner", .integer(8))], ["Till.take()"])
    run.add(
      thread: 8, "blocked", "request", isFirst: true, [("owner", .integer(7))], ["Till.pay()"])
    #expect(try run.finding("sync-deadlock") == nil)
  }
}

extension MadeUpRun {
  /// Adds the crumb of a thread in a list.
  fileprivate func add(
    thread: Int, _ doing: String, _ during: String, isFirst: Bool,
    _ data: [(key: String, value: CrumbValue)], _ stack: [String]
  ) {
    var all: [(key: String, value: CrumbValue)] = [
      ("during", .string(during)), ("doing", .string(doing)), ("milliseconds", .integer(1000)),
      ("thread", .integer(Int64(thread))),
    ]
    if isFirst { all.append(("threads", .integer(2))) }
    add(.note, doing, all + data, category: "waiting", stack: stack)
  }
}
