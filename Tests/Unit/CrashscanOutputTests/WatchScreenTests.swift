import IncidentModel
import Testing

@testable import CrashscanOutput

/// What a watch shows, without a terminal.
struct WatchScreenTests {
  private func crumb(
    _ number: Int, _ message: String = "here", kind: CrumbKind = .note, category: String = "test"
  ) -> Crumb {
    Crumb(
      monotonic: UInt64(number) * 1000, wall: 1_700_000_000_000_000_000 + UInt64(number) * 1000,
      thread: 1 + number % 3, number: UInt32(number),
      queue: Queue(serial: 7, label: "com.example.queue"), onMain: .no, kind: kind, level: .info,
      category: category, message: message, data: [("key", .string("värde"))], stack: nil,
      hop: nil, isMessageCut: false, isDataCut: false, isInterrupting: false)
  }

  private let threads: [Int: IncidentThread] = Dictionary(
    uniqueKeysWithValues: (1...3).map {
      ($0, IncidentThread(ordinal: $0, kernelID: 100 + $0, name: "worker \($0)"))
    })

  private func state(_ crumbs: [Crumb]) -> WatchState {
    var state = WatchState(path: "/var/log/breadcrumbs.log")
    state.begin(
      Incident.Process(id: 42, executable: "/bin/service", openedWall: 0, openedMonotonic: 0))
    for crumb in crumbs {
      state.count(
        thread: crumb.thread, threads[crumb.thread], queue: crumb.queue, isOnMain: false,
        monotonic: crumb.monotonic)
      state.add(crumb)
    }
    state.turn(to: 5_000_000_000)
    return state
  }

  private func lines(
    _ state: WatchState, _ controls: WatchControls = WatchControls(), _ width: Int = 120,
    _ height: Int = 36
  ) -> [String] {
    WatchScreen(state, controls, threads: threads, width: width, height: height).lines().map(\.text)
  }

  /// A service may record nothing about its lifecycle after its start.
  @Test func aServiceThatRunsIsNotCalledStarting() {
    for steps in [["process started"], ["process started", "did launch"]] {
      let crumbs = steps.enumerated().map {
        crumb($0.offset, $0.element, kind: .lifecycle, category: "lifecycle")
      }
      let shown = lines(state(crumbs + [crumb(9)])).prefix(2)
      #expect(!shown.joined().contains("starting"), "\(shown)")
    }
    let active = lines(state([crumb(0, "did become active", kind: .lifecycle)]))
    #expect(active[1].contains("   active"), "\(active[1])")
  }

  @Test(arguments: [(1, 1), (24, 6), (40, 10), (80, 24), (99, 30), (100, 30), (240, 70)])
  func noLineLeavesTheScreen(width: Int, height: Int) {
    let hostile = "漢字 e\u{301} 👩‍👩‍👧 \u{1B}[31m\n\u{202E}" + String(repeating: "x", count: 300)
    let state = state(
      (0..<200).map { crumb($0, hostile, kind: CrumbKind.allCases[$0 % 8]) })
    for view in 1...6 {
      var controls = WatchControls()
      controls.press(.character(Character("\(view)")), page: 10)
      for help in [false, true] {
        if help { controls.press(.character("?"), page: 10) }
        let screen = WatchScreen(state, controls, threads: threads, width: width, height: height)
        let lines = screen.lines()
        #expect(lines.count <= height)
        #expect(lines.allSatisfy { $0.cells <= width })
        #expect(lines.allSatisfy { !$0.text.unicodeScalars.contains { $0.value < 0x20 } })
      }
    }
  }

  @Test func theNewestCrumbStandsAtTheBottom() {
    let lines = lines(state((0..<100).map { crumb($0, "crumb \($0)") }))
    #expect(lines[lines.count - 2].contains("crumb 99"))
    #expect(lines[lines.count - 3].contains("crumb 98"))
    #expect(lines.last?.contains("q quit") == true)
  }

  @Test func filtersLetThroughWhatTheySay() {
    let state = state(
      [crumb(0, "apples"), crumb(1, "pears", category: "fruit"), crumb(2, kind: .violation)])
    for (key, typed, expected) in [
      ("/", "APPLE", 1), ("c", "fruit", 1), ("c", "violation", 1),
      ("t", "worker 2", 1), ("t", "worker", 3), ("/", "värde", 3),
    ] as [(Character, String, Int)] {
      var controls = WatchControls()
      controls.press(.character("2"), page: 10)
      controls.press(.character(key), page: 10)
      for character in typed { controls.press(.character(character), page: 10) }
      controls.press(.enter, page: 10)
      let shown = lines(state, controls).dropFirst(4).dropLast().filter { !$0.isEmpty }
      #expect(shown.count == expected, "\(key) \(typed)")
      controls.press(.escape, page: 10)
      #expect(lines(state, controls).dropFirst(4).dropLast().filter { !$0.isEmpty }.count == 3)
    }
  }

  @Test func answersOfTheLastMinuteStandInTheHead() {
    let minutes = [
      ("main queue", "", 128, 300), ("pool", "medium", 64, 61_000), ("main queue", "", 256, 400),
    ]
    let state = state(
      minutes.enumerated().map { at, minute in
        var crumb = crumb(at, "answers", category: "latency")
        crumb.data = [
          ("executor", .string(minute.0)), ("name", .string(minute.1)), ("beats", .integer(9)),
          ("median", .integer(Int64(minute.2))), ("p99", .integer(300)),
          ("slowest", .integer(Int64(minute.3))),
        ]
        return crumb
      })
    #expect(
      lines(state).contains {
        $0.contains("pool medium 64 µs, slowest 61 ms   main queue 256 µs, slowest 400 µs")
      })
  }

  @Test func readingBackStandsStillAndGoesOnAtTheEnd() {
    var controls = WatchControls()
    controls.press(.character("2"), page: 10)
    controls.press(.pageUp, page: 10)
    #expect(controls.isPaused && controls.scroll == 10)
    controls.press(.down, page: 10)
    #expect(controls.isPaused && controls.scroll == 9)
    controls.press(.end, page: 10)
    #expect(!controls.isPaused && controls.scroll == 0)
    controls.press(.character(" "), page: 10)
    controls.press(.up, page: 10)
    controls.press(.end, page: 10)
    #expect(controls.isPaused, "who paused by hand goes on by hand")
  }

  @Test func memoryIsBounded() {
    var state = WatchState(path: "log")
    for number in 0..<20_000 {
      let crumb = crumb(number, kind: .violation)
      state.count(
        thread: number, nil, queue: Queue(serial: UInt64(number), label: ""), isOnMain: false,
        monotonic: crumb.monotonic)
      state.add(crumb)
      if number % 500 == 0 { state.turn(to: UInt64(number) * 1_000_000_000) }
    }
    #expect(state.threads.count <= 4096 && state.queues.count <= 4096)
    #expect(state.crumbs.count <= 4000 && state.violations.count <= 500)
    #expect(state.violationCount == 20_000 && state.rate.total == 20_000)
    #expect(state.rate.seconds.count <= 60)
  }

  @Test func hopsAreCountedByHowLongTheyTook() {
    var hops = HopHistogram()
    for nanoseconds in [500, 1000, 1001, 5_000, 2_000_000_000, UInt64.max] as [UInt64] {
      hops.add(nanoseconds: nanoseconds)
    }
    #expect(hops.lastMinute[0] == 2 && hops.lastMinute[1] == 1 && hops.lastMinute[2] == 1)
    #expect(hops.lastMinute[HopHistogram.bucketCount - 1] == 2)
    #expect(hops.bound(ofShare: 0.5) == 4000)
    #expect(hops.longest == .max)
    for _ in 0..<61 { hops.turn() }
    #expect(hops.lastMinute.allSatisfy { $0 == 0 } && hops.total == 6)
  }

  @Test(arguments: [
    ("plain", 5), ("漢字", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("☁️", 2), ("한", 2), ("ｶ", 1), ("", 0),
  ])
  func widthIsThatOfTerminals(text: String, cells: Int) {
    #expect(ScreenLine(text).cells == cells)
    var cut = ScreenLine(text + "漢字漢字")
    cut.cut(cells + 2)
    #expect(cut.cells <= cells + 2)
  }
}
