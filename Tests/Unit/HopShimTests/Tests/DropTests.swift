import Dispatch
import ShimmedProtocols
import Synchronization
import Testing
import ThreadAffinity

/// A target that nobody holds any more, or whose shim was cancelled.
enum Loss: CaseIterable, Sendable {
  case gone, cancelled

  func shim() -> (shim: LoaderDelegateHop, target: Loader?) {
    let target = Loader()
    let shim = LoaderDelegateHop(target)
    if self == .cancelled { shim.hop_.cancel() }
    return (shim, self == .gone ? nil : target)
  }
}

@Suite("What shims do when nobody is there")
struct DropTests {
  @Test(
    "A dropped call calls its completion handler once, on the main queue, with what was stated",
    arguments: Loss.allCases)
  func completions(_ loss: Loss) async {
    let (shim, target) = loss.shim()
    let log = Log()
    await offMain {
      shim.loader("a", shouldGoOn: { log.note("go on \($0)") })
      shim.loader("a") { log.note("finish \($0) \($1 is CancellationError)") }
      shim.loader("a", didFinish: nil)
      shim.loader(yes: { log.note("yes \($0)") }, no: { log.note("no \($0)") })
    }
    await drainMain()
    #expect(log.calls == ["go on false", "finish -1 true", "no nobody"])
    #expect(log.strays.isEmpty)
    #expect(target?.log.calls ?? [] == [])
  }

  @Test("A completion handler of the main actor is called there", arguments: Loss.allCases)
  func mainCompletion(_ loss: Loss) async {
    let (shim, _) = loss.shim()
    let value = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { shim.loader(onMain: { continuation.resume(returning: $0) }) }
    }
    #expect(value == -2)
  }

  @Test("Cancelling drops what is pending, and its completion handlers are called")
  func pending() async {
    let target = Loader()
    let shim = LoaderDelegateHop(target)
    let log = Log()
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        let sent = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          shim.loader("a", shouldGoOn: { log.note("\($0)") })
          sent.signal()
        }
        sent.wait()
        shim.hop_.cancel()
        continuation.resume()
      }
    }
    await drainMain()
    #expect(log.calls == ["false"])
    #expect(log.strays.isEmpty)
  }

  @Test("A delivered call leaves its completion handler to the target")
  func delivered() async {
    let target = Loader()
    let shim = LoaderDelegateHop(target)
    let log = Log()
    await offMain {
      shim.loader("a", shouldGoOn: { log.note("go on \($0)") })
      shim.loader("a") { number, _ in log.note("finish \(number)") }
      shim.loader(yes: { log.note("yes \($0)") }, no: { log.note("no \($0)") })
    }
    await drainMain()
    #expect(log.calls == ["go on true", "finish 1", "yes 1"])
    withExtendedLifetime(target) {}
  }

  @Test("Who waits is answered with what was stated", arguments: Loss.allCases)
  func answers(_ loss: Loss) async {
    let (shim, _) = loss.shim()
    let answers = await offMain {
      (shim.retryCount(for: "a"), shim.hint(), shim.title, shim.level, shim[1, in: "a"])
    }
    #expect(answers == (3, nil, "untitled", 0, ""))
  }

  @Test("Failures and changed arguments without a target: the stated failure, and no change")
  func editing() async {
    let shim = EditorHop(Text())
    let holds = await offMain {
      var (number, other) = (1, "5")
      shim.adjust(&number)
      let swapped = shim.swap(&number, &other)
      return failure { try shim.typed(1) } as? EditorError == EditorError(code: 9)
        && failure { try shim.check(1) } is CancellationError
        && !swapped && number == 1 && other == "5" && (try? shim.size) == 5
    }
    #expect(holds)
  }

  @Test("Asynchronous callers are answered with what was stated")
  func asynchronous() async throws {
    let shim = FetcherHop(Network())
    #expect(await shim.fetch(1) == -1)
    await #expect(throws: CancellationError.self) { try await shim.fetchOrThrow(1) }
    await #expect(throws: EditorError(code: 9)) { try await shim.fetchTyped(1) }
    await shim.pause()
    #expect(await shim.fetchBox(Box(1)).number == -1)
  }

  @Test("On the main actor the target is asked; elsewhere nil and what is empty are known")
  @MainActor func answersOnMain() async {
    final class Board: Panel {
      var title: String? { "prices" }
      func rows(in section: Int) -> [Int] { [section] }
      func hint() -> String? { "never" }
      func index() -> Set<Int> { [1] }
      func names() -> [Int: String] { [1: "a"] }
    }
    let board = Board()
    let shim = PanelHop(board)
    #expect(shim.title == "prices" && shim.rows(in: 4) == [4])
    #expect(shim.hint() == nil && shim.index().isEmpty && shim.names().isEmpty)
    let gone = PanelHop(Board())
    #expect(gone.title == nil && gone.rows(in: 4).isEmpty)
  }
}
