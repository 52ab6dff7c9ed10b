import IncidentModel
import ProcessTesting
import RealCases
import Testing

/// What the real recorder keeps of checks and hops, read back from its log.
@Suite("Affinities in a log", .long)
struct RecordTests {
  @Test("An observed callback: violation, offending function, origin", arguments: RealCase.all)
  func observed(real: RealCase) throws {
    let record = try Record("observed", real.name)
    let violation = try #require(record.crumbs(.violation).first)
    let stack = record.functions(of: violation)
    #expect(stack.first?.hasPrefix("offendingCallback(through:_:)") == true, "\(stack)")
    #expect(violation.onMain == .no)
    #expect(violation.message == "callback of observed")
    #expect(violation.text("expected") == "main queue")
    #expect(violation.text("in") == "observe(_:_:)")
    let origins = violation.data.filter { $0.key == "origin" }.map(\.value.description)
    #expect(origins.count == 2)
    #expect(origins[0].hasPrefix("enqueued at affinity_records/Hops.swift:"))
    #expect(origins[1].hasPrefix("registered at affinity_records/Hops.swift:"))
    // It arrived where it broke: what is worth telling is who registered it.
    #expect(violation.keys.suffix(3) == ["origin", "origin", "originStack"])
    let registration = record.functions(ofText: violation["originStack"], of: violation)
    // Where an initialiser was specialised, a frame of ours may stand before it.
    #expect(registration.prefix(2).contains { $0.hasPrefix("observe(_:_:)") }, "\(registration)")

    let hops = record.crumbs(.hop)
    #expect(hops.map(\.message) == ["arrival", "run"])
    #expect(hops.map(\.hop) == [violation.hop, violation.hop])
    #expect(hops.map(\.thread) == [violation.thread, violation.thread])
    let arrival = record.functions(of: hops[0])
    #expect(arrival == stack)
  }

  @Test("A hopped callback: arrival there, run on main, nothing broken", arguments: RealCase.all)
  func hopped(real: RealCase) throws {
    let record = try Record("hopped", real.name)
    #expect(record.child.status == 0 && record.child.signal == 0)
    #expect(record.crumbs(.violation).isEmpty)
    let hops = record.crumbs(.hop)
    #expect(hops.map(\.message) == ["arrival", "run"])
    #expect(hops.map(\.onMain) == [.no, .yes])
    #expect(hops[0].hop == hops[1].hop)
    #expect(hops[0].keys == ["name", "at", "objects"])
    #expect(hops[0].text("name") == "hopped")
    #expect(hops[0].text("at")?.hasPrefix("affinity_records/Hops.swift:") == true)
    let latency = try #require(hops[1].integer("nanoseconds"))
    let between = Int64(hops[1].monotonic - hops[0].monotonic)
    #expect(latency > 0 && abs(latency - between) < max(20_000_000, between))
  }

  @Test("UI work: queue, thread, duration and place")
  func uiWork() throws {
    let record = try Record("wrappers")
    let works = record.crumbs(.uiWork)
    #expect(works.map(\.message) == ["layout", "layout"])
    #expect(works.map(\.onMain) == [.yes, .no])
    #expect(works.map { $0.queue?.label } == ["com.apple.main-thread", "records.work"])
    #expect(works[0].thread != works[1].thread)
    for work in works {
      #expect(work.keys == ["nanoseconds", "at", "in"])
      #expect(try #require(work.integer("nanoseconds")) >= 2_000_000)
      #expect(work.text("at")?.hasPrefix("affinity_records/Wrappers.swift:") == true)
      #expect(work.text("in") == "work()")
    }
  }

  @Test("A bound value: each access, read or written, with its queue")
  func access() throws {
    let record = try Record("wrappers")
    let accesses = record.incident.crumbs.filter { $0.category == "access" }
    #expect(accesses.map(\.message) == ["title", "title", "title", "title"])
    #expect(accesses.map { $0["write"] } == [true, false, true, false].map { .boolean($0) })
    #expect(accesses.map(\.onMain) == [.yes, .yes, .no, .no])
    #expect(accesses.allSatisfy { $0.keys == ["write", "at"] })
    #expect(accesses[3].queue?.label == "records.work")
  }

  @Test("Each wrapper's violation begins its stack with the function that used it")
  func violations() throws {
    let record = try Record("wrappers")
    let violations = record.crumbs(.violation)
    // The write and the read of a bound value are one place: that of its declaration.
    #expect(violations.map(\.message) == ["layout", "write of title", "rows change", "badge"])
    for violation in violations {
      let stack = record.functions(of: violation)
      // Inlined or not, the accessor of a bound value is the user's too.
      let functions = stack.flatMap { $0.components(separatedBy: " < ") }
      let user = functions.drop { $0.hasPrefix("Screen.title.") }
      #expect(user.first == "work()", "\(stack)")
      let ui = violation.message == "layout" ? ["ui"] : []
      #expect(violation.keys == ["expected", "occurrence", "at", "in"] + ui)
      #expect(violation.queue?.label == "records.work")
    }
  }

  @Test("The origin of a broken thread affinity is where it was bound, with its stack")
  func bound() throws {
    let record = try Record("origins")
    let violation = try #require(record.crumbs(.violation).first)
    #expect(violation.message == "drawn elsewhere")
    #expect(record.functions(of: violation).first?.hasPrefix("breakThere(_:)") == true)
    #expect(violation.text("origin")?.hasPrefix("bound at affinity_records/Wrappers.swift") == true)
    let origin = record.functions(ofText: violation["originStack"], of: violation)
    #expect(origin.first?.hasPrefix("bindHere(_:)") == true, "\(origin)")
  }

  @Test("A violation inside a hop names the hop, whose arrival shows who sent it")
  func sent() throws {
    let record = try Record("origins")
    let violation = try #require(record.crumbs(.violation).last)
    #expect(violation.message == "inside the hop")
    #expect(violation.queue?.label == "records.destination")
    let arrival = try #require(
      record.crumbs(.hop).first { $0.hop == violation.hop && $0.message == "arrival" })
    let sender = record.functions(of: arrival)
    #expect(sender.first?.hasPrefix("sendHere(_:)") == true, "\(sender)")
    // The violation's own crumb says so too, in case the arrival's is recycled.
    #expect(record.functions(ofText: violation["originStack"], of: violation) == sender)
    #expect(violation.keys.suffix(3) == ["origin", "originStack", "origin"])
  }

  @Test("A process may end while hops are sent and delivered: as it said, with whole crumbs")
  func shutdown() throws {
    let record = try Record("shutdown")
    #expect(record.child.status == 7 && record.child.signal == 0)
    #expect(record.child.errors == "")
    #expect(record.incident.ending == .clean)
    let hops = record.crumbs(.hop)
    #expect(hops.count > 100)
    #expect(hops.allSatisfy { $0.hop != nil && $0.category == "hop" })
  }

  @Test("The log line of a violation begins its stack with the user's function, by its plain name")
  func line() throws {
    let record = try Record("origins")
    let lines = record.child.errors.split(separator: "\n").filter { $0.contains(" stack=\"") }
    let stacks = lines.compactMap { $0.components(separatedBy: " stack=\"").last }
    try #require(stacks.count == 2)
    #expect(stacks[0].hasPrefix("breakThere(_:) < "))
    #expect(stacks[0].contains("closure #1 in onThread(_:)"))
    #expect(stacks[1].hasPrefix("closure #1 in sendHere("))
    #expect(stacks[1].contains(" < (mainstay)"))
    for stack in stacks {
      #expect(!stack.contains("$s") && !stack.contains(" in _") && !stack.contains("records+0x"))
    }
  }

  @Test("The log line of a violation in a task goes on with who waits for it, by their names")
  func lineOfTask() throws {
    let record = try Record("task")
    let lines = record.child.errors.split(separator: "\n")
    let first = try #require(lines.first)
    let stack = try #require(first.components(separatedBy: " stack=\"").last)
    // The optimizer keeps one of functions that end alike: who waits further out may have another's name.
    #expect(stack.hasPrefix("Row.redraw(), awaited by refresh(row:) < "), "\(stack)")
    #expect(stack.contains(" < closure #1 in breakInTask"), "\(stack)")
    #expect(
      !stack.contains("0x") && !stack.contains("swift_") && !stack.contains("partial function"))
    // As in the log.
    let violation = try #require(record.crumbs(.violation).first)
    let callers = try #require(violation.stack).frames.filter(\.isAsyncCaller)
    #expect(callers.count >= 3)
  }
}
