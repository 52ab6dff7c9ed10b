import Dispatch
import Synchronization
import Testing

@testable import ThreadAffinity

@Suite("Hops whose call is asynchronous", .timeLimit(.minutes(2)))
struct AsyncCallTests {
  @Test("The call runs inside the actor, and its answer comes back")
  func answers() async throws {
    let book = Book()
    let hop = ActorHop(book, "book")
    #expect(try await hop.ask { book in await book.slowTitle() } == "book 1")
    #expect(try await hop.ask { book in book.expectIsolated("titles") })
    let typed = try? await hop.ask(orElse: .failure(Closed.closed)) { _ throws(Closed) in 2 }
    #expect(typed == 2)
  }

  @Test("What the call throws comes back as it is, in its type")
  func throwsAsItIs() async {
    let book = Book()
    let hop = ActorHop(book, "book")
    await #expect(throws: Closed.closed) { try await hop.ask { _ in throw Closed.closed } }
    do throws(Closed) {
      try await hop.ask(orElse: .success(())) { _ throws(Closed) in throw .closed }
      Issue.record("nothing was thrown")
    } catch {
      #expect(error == .closed)
    }
  }

  @Test("Calls that are asked and calls that are sent begin in the order they came")
  func order() async throws {
    for _ in 1...100 {
      let book = Book()
      let hop = ActorHop(book, "book")
      let gate = DispatchSemaphore(value: 0)
      // The actor is busy, so that the two below wait for it.
      hop.send { _ in gate.wait() }
      while hop.core.isPending { await Task.yield() }
      async let asked: Void = hop.ask { book in
        book.note("asked")
        await Task.yield()
      }
      while !hop.core.isPending { await Task.yield() }
      hop.send { $0.note("sent") }
      gate.signal()
      try await asked
      while await book.notes.count < 2 { await Task.yield() }
      #expect(await book.notes == ["asked", "sent"])
    }
  }

  @Test("A call that waits inside the actor lets the next ones begin")
  func reentrance() async throws {
    let book = Book()
    let hop = ActorHop(book, "book")
    let gate = AsyncStream.makeStream(of: Void.self)
    async let slow: Void = hop.ask { _ in for await _ in gate.stream { return } }
    #expect(try await hop.ask { _ in 2 } == 2)
    gate.continuation.yield()
    try await slow
  }

  @Test(
    "Without an answer there is the fallback, or a CancellationError: once gone, cancelled, or asked too late"
  )
  func unanswered() async throws {
    let cancelled = ActorHop(Book(), "cancelled")
    let book = Book()
    let alive = ActorHop(book, "alive")
    cancelled.cancel()
    for _ in 1...2 {
      #expect(await cancelled.ask(orElse: .success("nobody")) { $0.title } == "nobody")
      await #expect(throws: CancellationError.self) { try await cancelled.ask { $0.title } }
    }
    let gone = hopToNobody()
    await #expect(throws: CancellationError.self) { try await gone.ask { $0.title } }
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      try await alive.ask { $0.note("late") }
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(await book.notes == [])
  }

  @Test("Main and queue hops ask the same way")
  func mainAndQueue() async throws {
    let page = Page()
    let queue = DispatchQueue(label: "async.calls")
    let main = MainHop(page, "page"), rows = QueueHop(page, to: queue, "rows")
    #expect(try await main.ask { page in await page.load() && MainQueue.isCurrent })
    let onQueue = try await rows.ask { page in
      let affinity = Affinity.queue(queue)
      return await page.load() && affinity.isCurrent
    }
    #expect(onQueue)
    await #expect(throws: Closed.closed) { try await main.ask { _ in throw Closed.closed } }
    main.cancel()
    rows.cancel()
    await #expect(throws: CancellationError.self) { try await main.ask { await $0.load() } }
    await #expect(throws: CancellationError.self) { try await rows.ask { await $0.load() } }
  }

  private func hopToNobody() -> ActorHop<Book> { ActorHop(Book(), "gone") }
}

private enum Closed: Error { case closed }

private actor Book {
  let title = "book"
  private(set) var notes: [String] = []

  func note(_ text: String) { notes.append(text) }

  func slowTitle() async -> String {
    await Task.yield()
    return "\(title) 1"
  }
}

private final class Page: Sendable {
  func load() async -> Bool {
    await Task.yield()
    return true
  }
}
