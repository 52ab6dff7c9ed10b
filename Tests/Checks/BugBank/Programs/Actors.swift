import Dispatch
import Synchronization
import ThreadAffinity

/// A cache that loads the same picture again while it is being loaded.
package actor PictureCache {
  private var picture: Int?
  private var loading: Task<Int, Never>?
  package private(set) var loads = 0

  package init() {}

  package func picture() async -> Int {
    if let picture { return picture }
    if isFixed, let loading { return await loading.value }
    let task = Task { await self.load() }
    loading = task
    let loaded = await task.value
    picture = loaded
    return loaded
  }

  private func load() async -> Int {
    loads += 1
    await Task.yield()
    return 7
  }
}

/// An account that is asked before it is debited, and not again after the wait between.
package actor Account {
  package private(set) var balance = 100

  package init() {}

  package func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    if isFixed, balance < amount { return }
    balance -= amount
  }
}

/// A counter that writes back what it read before it waited.
package actor Counter {
  package private(set) var count = 0

  package init() {}

  package func add() async {
    if isFixed {
      await Task.yield()
      count += 1
    } else {
      let before = count
      await Task.yield()
      count = before + 1
    }
  }
}

/// A log that gives each event a task of its own; tasks overtake each other.
package final class EventLog: Sendable {
  private actor Lines {
    var lines: [Int] = []
    func append(_ line: Int) { lines.append(line) }
  }

  private let lines = Lines()
  private let sent = Mutex(0)
  private let home: Affinity

  package init() { home = .actor(lines) }

  package func record() {
    let number = sent.withLock { sent in
      sent += 1
      return sent
    }
    if isFixed {
      home.async { [lines] in lines.assumeIsolated { $0.append(number) } }
    } else {
      Task { await lines.append(number) }
    }
  }

  package var isInOrder: Bool {
    get async {
      let lines = await lines.lines
      return lines == lines.sorted()
    }
  }
}

/// A screen whose asynchronous answers overwrite newer ones.
@MainActor package final class AsyncSearch {
  private var asked = 0
  private var shown = 0
  private var hasGoneBack = false
  private let answers: @Sendable () async -> Void

  nonisolated package init(answers: @escaping @Sendable () async -> Void) {
    self.answers = answers
  }

  package func type() async {
    asked += 1
    let number = asked
    await answers()
    if isFixed, number < shown { return }
    if number < shown { hasGoneBack = true }
    shown = number
  }

  package var isNewest: Bool { !hasGoneBack }
}

/// A profile that is filled in after its screen was closed while it waited.
@MainActor package final class Profile {
  private var isClosed = false
  private var isFilledAfter = false

  nonisolated package init() {}

  package func load() async {
    await Task.yield()
    if isFixed, isClosed { return }
    if isClosed { isFilledAfter = true }
  }

  package func close() { isClosed = true }

  package var isFilledWhenClosed: Bool { isFilledAfter }
}

/// A store whose rows are touched off its queue.
package final class RowStore: Sendable {
  private let queue = DispatchQueue(label: "rows")
  private let home: Affinity

  package init() { home = .queue(queue) }

  package func received() {
    if isFixed { queue.async { self.insert() } } else { insert() }
  }

  @inline(never)
  private func insert() { home.expect("rows") }
}

/// A ledger that belongs to an actor, and is touched outside of it.
package final class Ledger: Sendable {
  private actor Keeper {}
  private let keeper = Keeper()
  private let home: Affinity

  package init() { home = .actor(keeper) }

  package func received() {
    if isFixed { home.async { self.book() } } else { book() }
  }

  @inline(never)
  private func book() { home.expect("ledger") }
}
