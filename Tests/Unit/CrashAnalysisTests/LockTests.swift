import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import CrashAnalysis

/// Who keeps a lock, and who waits for whom, by stacks and source.
@Suite("Locks that are waited for") struct LockTests {
  private static let lock = ["libc.so.6!__lll_lock_wait", "libc.so.6!pthread_mutex_lock"]
  private static let sync = "libdispatch.so!__DISPATCH_WAIT_FOR_QUEUE__"

  private func run(_ source: String, _ ending: RunEnding = .killedInHang) throws -> MadeUpRun {
    let run = MadeUpRun(ending)
    run.file = TestFiles.path("Shop.swift")
    try source.write(toFile: run.file, atomically: true, encoding: .utf8)
    return run
  }

  private static let catalogue = """
    final class Catalogue {
      private let lock = NSLock()
      private var titles: [String] = []
      var count: Int {
        lock.lock()
        defer { lock.unlock() }
        return titles.count
      }
      func refresh() {
        lock.lock()
        titles = download()
        lock.unlock()
      }
    }
    """

  private func data(_ thread: Int64, _ more: [(key: String, value: CrumbValue)] = []) -> [(
    key: String, value: CrumbValue
  )] {
    [
      ("milliseconds", .integer(2_000)), ("doing", .string("blocked")),
      ("thread", .integer(thread)),
    ]
      + more
  }

  @Test("The thread that has the lock keeps it; the one that waits is not accused")
  func keeper() throws {
    let run = try run(Self.catalogue)
    run.add(
      .hang, "does not answer", data(7), category: "main queue",
      stack: Self.lock + ["Catalogue.count.getter at 5", "main at 40"])
    run.add(
      .hang, "holds its lock", data(8, [("waiter", .integer(7))]), category: "main queue",
      stack: ["libc.so.6!read", "download() at 30", "Catalogue.refresh() at 11"])
    let findings = try run.report().entries.map(\.finding)
    let finding = try #require(findings.first { $0.rule == "main-blocked" })
    #expect(
      finding.title.hasPrefix(
        "Catalogue.refresh() (Shop.swift:11) held a lock that the main queue waited for"))
    #expect(finding.culprit?.line == 11)
    #expect(
      finding.cause.map { "\($0.text) @\($0.place?.line ?? 0)" } == [
        "takes the lock @10", "holds the lock @11", "meanwhile @30", "waits for the lock @5",
      ])
    #expect(
      finding.fix.text
        == "Make the call at Shop.swift:11 before Shop.swift:10 takes the lock, and hold the lock only "
        + "to store its result.")
    #expect(findings.count == 1)
  }

  @Test(
    "A main queue that holds a lock while it waits for a queue is told so, and not to work elsewhere"
  )
  func lockAndQueue() throws {
    let run = try run(
      """
      final class Trail {
        private let queue = DispatchQueue(label: "trail")
        func note() {
          queue.sync { pending += 1 }
        }
      }
      final class Shelves {
        private let lock = NSLock()
        private let trail = Trail()
        func move() {
          lock.lock()
          trail.note()
          lock.unlock()
        }
      }
      """)
    run.add(
      .hang, "does not answer", data(7), category: "main queue",
      stack: [Self.sync, "Trail.note() at 4", "Shelves.move() at 12", "main at 40"])
    let finding = try #require(try run.finding("main-blocked"))
    #expect(finding.title.hasPrefix("The main queue waited for queue trail in Trail.note()"))
    #expect(
      finding.evidence.contains {
        $0.text.hasPrefix("the waiting thread holds the lock “lock” of Shelves")
          && $0.place?.line == 11
      })
    #expect(
      finding.fix.text.hasPrefix(
        "Release the lock “lock” of Shelves before the wait at Shop.swift:4"))
  }

  @Test("A thread that has the lock itself waits for itself")
  func ownLock() throws {
    let source = """
      final class Till {
        func close() {
          lock.lock()
          print(sum())
          lock.unlock()
        }
        func sum() -> Int {
          lock.lock()
          defer { lock.unlock() }
          return 1
        }
      }
      """
    let run = try run(source)
    let stack = Self.lock + ["Till.sum() at 8", "Till.close() at 4"]
    run.add(.hang, "does not answer", data(7), category: "main queue", stack: stack)
    run.add(
      .hang, "holds its lock", data(7, [("waiter", .integer(7))]), category: "main queue",
      stack: stack)
    let finding = try #require(try run.finding("main-blocked"))
    #expect(
      finding.title.hasPrefix(
        "Till.sum() (Shop.swift:8) waited for a lock that its own thread holds")
    )
    #expect(
      finding.fix.text.hasPrefix("This thread already holds the lock, since Shop.swift:3"),
      "\(finding.fix.text)")
  }

  @Test(
    "Without the thread that has it, the other line that keeps the lock over a call is named as possible only"
  )
  func unknownKeeper() throws {
    let run = try run(Self.catalogue)
    run.add(
      .hang, "does not answer", data(7), category: "main queue",
      stack: Self.lock + ["Catalogue.count.getter at 5", "main at 40"])
    let finding = try #require(try run.finding("main-blocked"))
    #expect(finding.title.hasPrefix("The main queue waited for a lock in Catalogue.count.getter"))
    #expect(
      finding.evidence.contains {
        $0.text.hasPrefix("this line also takes the lock") && $0.place?.line == 10
      })
    #expect(finding.fix.text.hasPrefix("If that line held the lock"))
  }

  @Test("A pool whose threads all wait for one lock is no deadlock of the pool")
  func poolAndMain() throws {
    let run = try run(Self.catalogue)
    run.add(
      .hang, "does not answer", data(7), category: "main queue",
      stack: Self.lock + ["Catalogue.count.getter at 5", "main at 40"])
    run.add(
      .hang, "does not answer",
      data(9, [("name", .string("medium")), ("threads", .integer(1))]), category: "pool",
      stack: Self.lock + ["Catalogue.count.getter at 5", "Routes.get() at 50"])
    let findings = try run.report().entries.map(\.finding)
    #expect(findings.map(\.rule) == ["main-blocked"], "\(findings.map(\.title))")
    #expect(findings[0].merged?.map(\.rule).contains("pool-blocked") == true)
  }

  @Test("The thread that has another holder's lock does not keep the first one's")
  func otherLock() throws {
    let run = try run(Self.catalogue)
    let pool: [(key: String, value: CrumbValue)] = [
      ("name", .string("medium")), ("threads", .integer(2)),
    ]
    run.add(
      .hang, "does not answer", data(9, pool), category: "pool",
      stack: Self.lock + ["Catalogue.count.getter at 5", "Routes.get() at 50"])
    run.add(
      .hang, "holds it too", data(10, pool), category: "pool",
      stack: Self.lock + ["Journal.note() at 60", "Routes.put() at 70"])
    run.add(
      .hang, "holds its lock", data(8, pool + [("waiter", .integer(10))]), category: "pool",
      stack: ["libc.so.6!read", "Journal.load() at 65"])
    let finding = try #require(try run.finding("pool-blocked"))
    #expect(
      finding.title.contains("waited for a lock in Catalogue.count.getter"), "\(finding.title)")
  }

  private static let ledgers = """
    final class Returns {
      private let queue = DispatchQueue(label: "returns")
      func accept() {
        queue.sync {
          deposits.refund()
        }
      }
      func open() -> Int {
        queue.sync { 1 }
      }
    }
    final class Deposits {
      private let queue = DispatchQueue(label: "deposits")
      func refund() {
        queue.sync { held -= 1 }
      }
      func settle() {
        queue.sync {
          held = returns.open()
        }
      }
    }
    """
  private static let accepts = [
    sync, "Deposits.refund() at 15", "closure #1 in Returns.accept() at 5", "Returns.accept() at 4",
  ]
  private static let settles = [
    sync, "Returns.open() at 9", "closure #1 in Deposits.settle() at 19", "Deposits.settle() at 18",
  ]

  private func deadlock(_ stacks: [[String]]) throws -> Finding? {
    let run = try run(Self.ledgers, .crash(signal: 6, .certain))
    run.die(
      of: 6, sentBy: 99,
      stacks.enumerated().map {
        run.thread($0.offset + 1, queue: UInt64($0.offset + 1), $0.element)
      })
    return try run.finding("sync-deadlock")
  }

  @Test("Two queues that call each other wait for each other, whoever else waits for one of them")
  func circle() throws {
    let waiting = [Self.sync, "Returns.accept() at 4", "Routes.post() at 60"]
    let finding = try #require(try deadlock([Self.accepts, waiting, Self.settles, waiting]))
    #expect(finding.title.hasPrefix("Two queues waited for each other"))
    #expect(finding.severity == .warning)
    #expect(finding.evidence.contains { $0.text.hasSuffix("the same objects is not recorded") })
    #expect(finding.title.contains("queue returns and queue deposits"), "\(finding.title)")
    #expect(finding.culprit?.line == 5)
    #expect(
      finding.cause.map { "\($0.text) @\($0.place?.line ?? 0)" } == [
        "holds queue returns @4", "ran @5", "waits for queue deposits @15",
        "holds queue deposits @18", "ran @19", "waits for queue returns @9",
      ])
    #expect(finding.evidence.contains { $0.text.hasPrefix("2 other threads waited") })
    #expect(finding.fix.text.hasPrefix("Take the two in the same order"))
  }

  @Test("Queues of which there is one each are the same for certain")
  func onlyQueues() throws {
    let run = try run(
      Self.ledgers.replacing("private let queue", with: "private static let queue"),
      .crash(signal: 6, .certain))
    run.die(
      of: 6, sentBy: 99,
      [run.thread(1, queue: 1, Self.accepts), run.thread(2, queue: 2, Self.settles)])
    let finding = try #require(try run.finding("sync-deadlock"))
    #expect(finding.severity == .error)
    #expect(!finding.evidence.contains { $0.text.hasSuffix("the same objects is not recorded") })
  }

  @Test("Threads that were busy when their hang was recorded do not wait for each other")
  func busyHolders() throws {
    func found(_ doing: String) throws -> Finding? {
      let run = try run(Self.ledgers)
      for (place, stack) in [Self.accepts, Self.settles].enumerated() {
        run.add(
          .hang, "does not answer",
          [
            ("milliseconds", .integer(2_000)), ("doing", .string(doing)),
            ("thread", .integer(Int64(place) + 7)), ("name", .string("queue \(place)")),
          ], category: "queue", stack: stack)
      }
      return try run.finding("sync-deadlock")
    }
    #expect(try found("blocked") != nil)
    #expect(try found("busy") == nil)
  }

  @Test("The next declaration's label is another queue's")
  func labels() throws {
    let path = TestFiles.path("Labels.swift")
    try """
    final class Shop {
      let queue = makeQueue()
      let other = DispatchQueue(label: "other")
      func open() { queue.sync { print(1) } }
    }

    """.write(toFile: path, atomically: true, encoding: .utf8)
    let place = CodePlace(function: "Shop.open()", module: "App", file: path, line: 4)
    let held = try #require(HeldSections(near: place)?.taken(at: 4)?.holds)
    #expect(held.name == "queue" && held.label == nil, "\(held)")
  }

  @Test("A branch that unlocks and leaves does not end the section")
  func branches() throws {
    let path = TestFiles.path("Branches.swift")
    try """
    final class Deck {
      let lock = NSLock()
      func assign() {
        lock.lock()
        guard hasRoom else {
          lock.unlock()
          return
        }
        if isLoud {
          observer.took()
          lock.unlock()
        } else {
          lock.unlock()
        }
      }
    }

    """.write(toFile: path, atomically: true, encoding: .utf8)
    let place = CodePlace(function: "Deck.assign()", module: "App", file: path, line: 10)
    let held = try #require(HeldSections(near: place)?.around(10).first)
    #expect(held.lines == 4...11, "\(held)")
  }

  @Test("A third thread that holds either is whom they may wait for")
  func thirdHolder() throws {
    let works = ["closure #1 in Returns.accept() at 5", "Returns.accept() at 4"]
    #expect(try deadlock([Self.accepts, Self.settles, works]) == nil)
  }

  @Test("One direction alone is a wait, and no circle")
  func oneWay() throws {
    let works = ["closure #1 in Deposits.settle() at 19", "Deposits.settle() at 18"]
    #expect(try deadlock([Self.accepts, works]) == nil)
  }
}
