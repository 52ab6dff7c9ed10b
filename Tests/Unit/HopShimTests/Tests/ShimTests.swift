import Dispatch
import ShimmedProtocols
import Synchronization
import Testing
import ThreadAffinity

@Suite("What shims do")
struct ShimTests {
  @Test("Events arrive on the main queue in their order, and keep arguments and labels")
  func events() async {
    let target = Loader()
    let shim = LoaderDelegateHop(target)
    await offMain {
      shim.loaderBegan()
      for number in 0..<100 { shim.loader("a", didReceive: [UInt8(number)]) }
      shim[2, in: "s"] = "x"
      shim.level = 4
      _ = shim.note(in: 1, target: "t", passed: true, hop: 2)
      shim.default(1, 2)
    }
    await drainMain()
    let expected =
      ["began"] + (0..<100).map { "a [\($0)]" }
      + ["write 2", "level 4", "note 1 t true 2", "default 1 2"]
    #expect(target.log.calls == expected)
    #expect(target.log.strays.isEmpty)
  }

  @Test("Who waits gets the target's answer; who does not gets the stated one")
  func answers() async {
    let target = Loader()
    let shim = LoaderDelegateHop(target)
    let answers = await offMain {
      shim[2, in: "s"] = "x"
      return (
        shim.retryCount(for: "a"), shim.hint(), shim.title, shim.level, shim[2, in: "s"],
        shim.note(in: 1, target: "", passed: true, hop: 2)
      )
    }
    // `title` and `note` are not waited for.
    #expect(answers == (5, "try", "untitled", 1, "x", 7))
    await drainMain()
    #expect(
      target.log.calls == ["write 2", "retry a", "hint", "title", "read 2", "note 1  true 2"])
    #expect(target.log.strays.isEmpty)
  }

  @Test("Of a burst only the newest call arrives")
  func coalescing() async {
    let target = Loader()
    let shim = LoaderDelegateHop(target)
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        // The main queue is busy with this until all are sent.
        DispatchQueue(label: "tests.burst").sync {
          let sent = DispatchSemaphore(value: 0)
          DispatchQueue.global().async {
            for step in 1...50 { shim.loader("a", progress: Double(step)) }
            sent.signal()
          }
          sent.wait()
        }
        continuation.resume()
      }
    }
    await drainMain()
    #expect(target.log.calls == ["a 50.0"])
    #expect(target.log.strays.isEmpty)
  }

  @Test("Failures reach the caller as they are, and changed arguments come back")
  func editing() async {
    let target = Text()
    let shim = EditorHop(target)
    let holds = await offMain {
      var (number, other) = (1, "5")
      shim.adjust(&number)
      let swapped = shim.swap(&number, &other)
      shim.mixed(10, &number)
      return (try? shim.check(3)) == "3"
        && failure { try shim.check(-3) } as? EditorError == EditorError(code: -3)
        && failure { try shim.save(-4) } as? EditorError == EditorError(code: -4)
        && (try? shim.typed(2)) == 2 && (try? shim.size) == 12
        && swapped && number == 15 && other == "2"
    }
    #expect(holds)
    #expect(target.log.strays.isEmpty)
    #expect(target.log.calls.count == 8)
  }

  @Test("Asynchronous code that is isolated to nobody runs on the main queue, also after a wait")
  func asynchronous() async throws {
    let target = Network()
    let shim = FetcherHop(target)
    await offMain { shim.started(1) }
    #expect(await shim.fetch(21) == 42)
    #expect(try await shim.fetchOrThrow(3) == "3")
    await #expect(throws: EditorError(code: -1)) { try await shim.fetchOrThrow(-1) }
    await #expect(throws: EditorError(code: 7)) { try await shim.fetchTyped(7) }
    await shim.pause()
    #expect(await shim.fetchBox(Box(1)).number == 2)
    #expect(await shim.fetchOnMain(Box(5)) == 5)
    #expect(try await shim.count == 3)
    #expect(target.log.calls.first == "started 1")
    #expect(target.log.calls.count == 10)
    #expect(target.log.strays.isEmpty)
  }

  @Test("Asynchronous requirements of the target's own types are asked on the main queue")
  func asynchronousGeneric() async throws {
    let target = News()
    let shim = FeedHop(target)
    #expect(try await shim.rows(from: 3) == ["3"])
    await #expect(throws: EditorError(code: -1)) { try await shim.rows(from: -1) }
    await shim.mark("4")
    #expect(await shim.newest == "9")
    #expect(target.log.calls == ["rows", "rows", "mark 4", "newest"])
    #expect(target.log.strays.isEmpty)
  }

  @Test("Generic requirements and the target's own types pass through")
  func generic() async {
    let target = Shelf()
    let shim = StoreHop(target)
    let told = Mutex(0)
    let value = await offMain {
      shim.put(2, for: "two")
      shim.visit(1.5, 3)
      shim.some("x")
      return shim[of: "two"]
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        shim.putAll([("three", 3)]) { count in
          told.withLock { $0 = count }
          continuation.resume()
        }
      }
    }
    #expect(value == 2)
    #expect(told.withLock { $0 } == 3)
    #expect(target.log.calls == ["put two", "visit 1.5 3", "some x", "of", "put three"])
    #expect(target.log.strays.isEmpty)
  }

  @Test("Requirements of the main actor stay there, the others hop")
  func isolated() async {
    let target = await MainActor.run { Window() }
    let shim = ScreenHop(target)
    await offMain { shim.invalidate(1) }
    await drainMain()
    await MainActor.run {
      shim.draw()
      shim.name = "door"
    }
    #expect(await shim.name == "door")
    #expect(target.log.calls == ["invalidate 1", "draw"])
    #expect(target.log.strays.isEmpty)
  }

  @Test("Protocols that structs may conform to change their target where it is an object")
  func mutating() async {
    let target = Clicker()
    let shim = CounterHop(target)
    let answers = await offMain {
      shim.count(3)
      let last = shim.last
      shim.last = 4
      shim.total = 9
      return (last, shim.total)
    }
    #expect(answers == (3, 9))
    #expect(target.log.calls == ["count 3", "last 3", "last 4", "total"])
    #expect(target.log.strays.isEmpty)
  }

  @Test("Inherited requirements, nested protocols and requirements of the type are served")
  func inherited() async {
    let target = Door()
    let (closer, inner, kind) = (LastCloserHop(target), OuterInnerHop(target), KindHop(target))
    await offMain {
      closer.renamed("a")
      closer.closed()
      closer.closedAll()
    }
    await offMain { inner.inner() }
    await offMain { kind.used() }
    await drainMain()
    #expect(target.log.calls == ["renamed a", "closed", "closedAll", "inner", "used"])
    #expect(target.log.strays.isEmpty)
    #expect(KindHop.kind == "kind")
  }

  @Test("A delegate set to nil while calls are pending: they arrive, or none does if cancelled")
  func letGo() async {
    for isCancelled in [false, true] {
      let queue = DispatchQueue(label: "tests.let-go")
      let target = Renamed(queue)
      let isBusy = DispatchSemaphore(value: 0)
      queue.async { isBusy.wait() }
      var delegate: NamedHop? = NamedHop(target, to: queue)
      for number in 1...3 { delegate?.renamed("\(number)") }
      if isCancelled { delegate?.hop.cancel() }
      delegate = nil
      isBusy.signal()
      queue.sync {}
      #expect(target.names.withLock { $0 } == (isCancelled ? [] : ["1", "2", "3"]))
    }
  }

  @Test("A burst on its way to a queue becomes its newest call")
  func queueBurst() async {
    let queue = DispatchQueue(label: "tests.ticker")
    let clock = Clock(queue)
    let shim = TickerHop(clock, to: queue)
    let isBusy = DispatchSemaphore(value: 0)
    queue.async { isBusy.wait() }
    for number in 1...100 { shim.tick(number) }
    shim.pace = 7
    shim.stop()
    isBusy.signal()
    queue.sync {}
    #expect(clock.told == ["tick 100", "pace 7", "stop"])
  }

  @Test("A shim for a queue brings its calls there")
  func queue() async {
    let queue = DispatchQueue(label: "tests.destination")
    let target = Renamed(queue)
    let shim = NamedHop(target, to: queue)
    await offMain { for number in 0..<50 { shim.renamed("\(number)") } }
    queue.sync {}
    #expect(target.names.withLock { $0 } == (0..<50).map(String.init))
  }
}

/// A target that notes what it was told, on its queue.
private final class Clock: Ticker, @unchecked Sendable {
  private let queue: DispatchQueue
  private(set) var told: [String] = []
  var pace = 0 { didSet { note("pace \(pace)") } }

  init(_ queue: DispatchQueue) { self.queue = queue }

  func tick(_ number: Int) { note("tick \(number)") }
  func stop() { note("stop") }

  private func note(_ word: String) {
    dispatchPrecondition(condition: .onQueue(queue))
    told.append(word)
  }
}

/// A target that ends the tests where it is called off its queue.
private final class Renamed: Named, Sendable {
  let names = Mutex<[String]>([])
  private let queue: DispatchQueue
  init(_ queue: DispatchQueue) { self.queue = queue }
  func renamed(_ name: String) {
    dispatchPrecondition(condition: .onQueue(queue))
    names.withLock { $0.append(name) }
  }
}
