import Breadcrumbs
import CrashCapture
import Foundation
import CrashscanLogs
import MainstayNIO
import NIOCore
import NIOPosix
import Synchronization
import Testing
import ThreadAffinity

@Suite(.serialized) struct EventLoopTests {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  private let log = TemporaryLog()

  private final class Table: Sendable {
    let loop: any EventLoop
    private let rows = Mutex<[Int]>([])
    private let strays = Atomic<Int>(0)

    init(_ loop: any EventLoop) { self.loop = loop }

    func insert(_ row: Int) {
      if !loop.inEventLoop { strays.add(1, ordering: .relaxed) }
      rows.withLock { $0.append(row) }
    }
    var inserted: [Int] { rows.withLock { $0 } }
    var strayed: Int { strays.load(ordering: .relaxed) }
  }

  @Test func anAffinityHoldsOnItsLoopAlone() async throws {
    let recorder = try log.open()
    let (loop, other) = (group.next(), group.next())
    let affinity = Affinity.eventLoop(loop, "connections")
    #expect(!affinity.isCurrent)
    #expect(try await loop.submit { affinity.expect("mine") }.get())
    #expect(try await !other.submit { affinity.expect("not mine") }.get())
    recorder.close()
    let crumb = try #require(try log.crumbs().first { $0.kind == "violation" })
    #expect(crumb.message == "not mine")
    #expect(crumb.text("expected") == "event loop connections")
    try await group.shutdownGracefully()
  }

  @Test(arguments: [true, false]) func callsRunOnTheLoopInTheirOrder(_ isHop: Bool) async throws {
    let loop = group.next()
    let table = Table(loop)
    if isHop {
      let rows = QueueHop(table, to: loop, "rows")
      for row in 0..<1000 { rows.send { $0.insert(row) } }
      try await loop.submit {
        // Here it is entered at once.
        rows.send { $0.insert(1000) }
        #expect(table.inserted.last == 1000)
      }.get()
    } else {
      let affinity = Affinity.eventLoop(loop)
      for row in 0...1000 { affinity.async { table.insert(row) } }
      try await loop.submit {}.get()
    }
    #expect(table.inserted == Array(0...1000) && table.strayed == 0)
    try await group.shutdownGracefully()
  }

  @Test func aHopToALoopThatHasEndedLetsGoOfItsCalls() async throws {
    let loop = group.next()
    let table = Table(loop)
    let rows = QueueHop(table, to: loop, "rows")
    try await group.shutdownGracefully()
    weak let held: Table?
    do {
      let object = Table(loop)
      held = object
      rows.send { table in withExtendedLifetime(object) { table.insert(1) } }
    }
    #expect(held == nil && table.inserted.isEmpty)
  }

  @Test func everyLoopOfAGroupIsWatched() async throws {
    let recorder = try log.open()
    CrashHandler.install(recordingTo: recorder)
    let watches = HangWatch.all(of: group, "connections", threshold: .milliseconds(100))
    #expect(watches.count == 2)
    let usual = Array(MultiThreadedEventLoopGroup.singleton.makeIterator()).count
    #expect(HangWatch.all().count == usual)
    // Once it has answered, it is held until its hang is on file. Where processors are short, others hang too.
    func hang() throws -> Line? {
      try log.crumbs().first {
        $0.text("name") == "connections 1" && $0.text("threadName")?.hasPrefix("NIO-ELT") == true
      }
    }
    for loop in group.makeIterator() {
      for _ in 0..<20 where try hang() == nil {
        try await loop.submit { _ = usleep(300_000) }.get()
        try await loop.submit {}.get()
      }
      break
    }
    withExtendedLifetime(watches) {}
    let crumb = try #require(try hang())
    #expect(crumb.kind == "hang" && crumb.category == "loop")
    recorder.close()
    try await group.shutdownGracefully()
  }

  @Test func longTurnsLeaveACrumb() async throws {
    let recorder = try log.open()
    let group = MultiThreadedEventLoopGroup(
      numberOfThreads: 1,
      metricsDelegate: EventLoopTickRecorder(recorder: recorder, longerThan: .milliseconds(20)))
    try await group.next().submit { _ = usleep(30_000) }.get()
    try await group.shutdownGracefully()
    recorder.close()
    let crumb = try #require(try log.crumbs().first { $0.category == "event-loop" })
    #expect((crumb.number("nanoseconds") ?? 0) >= 20_000_000)
  }
}
