import Breadcrumbs
import Dispatch
import Glibc
import Synchronization
import ThreadAffinity

/// Ways in which calls lose their order, or keep it.
let orders: [String: Way] = [
  "hop-overtaken": hopOvertaken, "main-overtaken": mainOvertaken, "two-hops": twoHops,
  "serial-senders": serialSenders, "answer-overtakes": answerOvertakes,
  "late-answer": lateAnswer, "concurrent-destination": concurrentDestination,
  "completions": completions, "instances": instances, "many-senders": manySenders,
  "two-destinations": twoDestinations, "tasks-before": tasksBefore,
  "many-completions": manyCompletions,
]

/// Two ways lead to the board: one waits in the queue, the other does not.
@Sendable private func hopOvertaken(_ isWrong: Bool) {
  let slow = MainHop(board, "rows", delivery: .always)
  let fast = MainHop(board, "rows", delivery: isWrong ? .inline : .always)
  DispatchQueue.main.async {
    slow.send { $0.show(["old"]) }
    fast.send { $0.show(["new"]) }
    finish()
  }
}

/// The main queue goes on on another thread between the two calls: whoever syncs runs it.
@Sendable private func mainOvertaken(_ isWrong: Bool) {
  let slow = MainHop(board, "rows", delivery: .always)
  let fast = MainHop(board, "rows", delivery: isWrong ? .inline : .always)
  DispatchQueue.main.async {
    let other = Waiter()
    DispatchQueue.global().async {
      other.waitsNext()
      DispatchQueue.main.sync { fast.send { $0.show(["new"]) } }
    }
    other.untilItWaits()
    slow.send { $0.show(["old"]) }
    finish()
  }
}

/// Each callback of a delegate has a hop of its own; the second finds nothing before it.
@Sendable private func twoHops(_ isWrong: Bool) {
  let progress = MainHop(board, "progress", delivery: .always)
  let done = isWrong ? MainHop(board, "done") : progress
  DispatchQueue.main.async {
    progress.send { $0.show(["half"]) }
    reportDone(through: done)
    finish()
  }
}

@inline(never)
private func reportDone(through hop: MainHop<Board>) {
  hop.send { $0.show(["all"]) }
  keepFrame()
}

/// One serial queue reports twice: from a worker, and from the main thread that waits for it.
@Sendable private func serialSenders(_ isWrong: Bool) {
  let store = DispatchQueue(label: "com.example.store")
  let rows = MainHop(board, "rows")
  let count = isWrong ? MainHop(board, "count") : rows
  DispatchQueue.main.async {
    let sent = DispatchSemaphore(value: 0)
    store.async {
      rows.send { $0.show(["old"]) }
      sent.signal()
    }
    sent.wait()
    store.sync { count.send { $0.show(["new"]) } }
    finish()
  }
}

/// One hop: the main queue asks while what a worker sent still waits.
@Sendable private func answerOvertakes(_ isWrong: Bool) {
  let hop = MainHop(board, "rows")
  DispatchQueue.main.async {
    let sent = DispatchSemaphore(value: 0)
    download.queue.async {
      hop.send { $0.show(["old"]) }
      hop.send { $0.show(["new"]) }
      sent.signal()
    }
    sent.wait()
    // Farther apart than clocks can be.
    usleep(1_000)
    if isWrong {
      ask(through: hop)
    } else {
      DispatchQueue.main.async { ask(through: hop) }
    }
    finish()
  }
}

@inline(never)
private func ask(through hop: MainHop<Board>) {
  _ = hop.ask(within: .seconds(1), orElse: false) { board in
    board.show(["asked"])
    return true
  }
  keepFrame()
}

/// The same where nothing shows that the worker's call was taken in before the question.
@Sendable private func lateAnswer(_ isWrong: Bool) {
  let hop = MainHop(board, "rows")
  DispatchQueue.main.async {
    let sent = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      hop.send { $0.show(["old"]) }
      sent.signal()
    }
    sent.wait()
    ask(through: hop)
    finish()
  }
}

/// What is called on a queue of its own.
private final class Ledger: Sendable {
  @inline(never)
  func enter(_ number: Int) { keepFrame() }
}

private let hasOvertaken = DispatchSemaphore(value: 0)
private let isHeldUp = Atomic(false)

/// Holds one call up that is about to run, until five have run that come after it. The recorder asks before
/// each crumb, as it asks those who redact.
@Sendable func holdUpOneCall(_ crumb: inout CrumbDraft) {
  guard crumb.category == "hop", crumb.message == "run",
    !isHeldUp.exchange(true, ordering: .relaxed)
  else { return }
  for _ in 0..<5 { hasOvertaken.wait() }
}

/// A hop to a queue that runs several calls at a time, too few of them to be a storm.
@Sendable private func concurrentDestination(_ isWrong: Bool) {
  let queue = DispatchQueue(
    label: "com.example.ledger", attributes: isWrong ? .concurrent : [])
  let ledger = Ledger()
  let hop = QueueHop(ledger, to: queue, "entries")
  download.queue.async {
    for number in 0..<40 {
      hop.send {
        $0.enter(number)
        hasOvertaken.signal()
      }
    }
    queue.sync(flags: .barrier) {}
    withExtendedLifetime(ledger) { finish() }
  }
}

/// Completions that were not given a name have nothing to do with each other.
@Sendable private func completions(_ isWrong: Bool) {
  let first = hop(delivery: .always) { (rows: [String]) in board.show(rows) }
  let second = hop { (rows: [String]) in board.show(rows) }
  DispatchQueue.main.async {
    first(["old"])
    second(["new"])
    finish()
  }
}

/// Each request has a completion of its own, and all are answered at once.
@Sendable private func manyCompletions(_ isWrong: Bool) {
  let completions = (0..<200).map { _ in hop("rows") { (rows: [String]) in board.show(rows) } }
  download.start { rows in
    for completion in completions { completion(rows) }
    finish()
  }
}

/// Two screens of one kind, each with a hop of its own: neither waits for the other's calls.
@Sendable private func instances(_ isWrong: Bool) {
  let boards = [Board(), Board()]
  let hops = boards.map { MainHop($0, "rows") }
  DispatchQueue.main.async {
    let sent = DispatchSemaphore(value: 0)
    download.queue.async {
      hops[0].send { $0.show(["first"]) }
      sent.signal()
    }
    sent.wait()
    hops[0].send { $0.show(["second"]) }
    hops[1].send { $0.show(["other"]) }
    DispatchQueue.main.async {
      withExtendedLifetime(boards) { finish() }
    }
  }
}

/// Many senders and one hop, which keeps the order of what each sends.
@Sendable private func manySenders(_ isWrong: Bool) {
  let hop = MainHop(board, "rows")
  let senders = DispatchGroup()
  for number in 0..<4 {
    let queue = DispatchQueue(label: "com.example.sender-\(number)")
    for round in 0..<200 {
      queue.async(group: senders) { hop.send { $0.show(["\(number) \(round)"]) } }
      DispatchQueue.main.async { hop.send { $0.show(["main"]) } }
    }
  }
  senders.notify(queue: .main) { finish() }
}

/// One object that is called on two queues: which of the two comes first is nobody's promise.
@Sendable private func twoDestinations(_ isWrong: Bool) {
  let ledger = Ledger()
  let home = DispatchQueue(label: "com.example.ledger")
  let main = MainHop(ledger, "entries")
  let queue = QueueHop(ledger, to: home, "entries")
  DispatchQueue.main.async {
    let sent = DispatchSemaphore(value: 0)
    download.queue.async {
      main.send { $0.enter(1) }
      queue.send { $0.enter(2) }
      sent.signal()
    }
    sent.wait()
    // What was sent before to either of the two finds the ledger.
    home.async {
      DispatchQueue.main.async { withExtendedLifetime(ledger) { finish() } }
    }
  }
}

/// Calls whose order may be lost on the way to the hop arrive in the order in which they run.
@Sendable private func tasksBefore(_ isWrong: Bool) {
  let hop = MainHop(board, "rows")
  for (priority, row) in [(TaskPriority.low, "old"), (.high, "new")] {
    work.enter()
    Task.detached(priority: priority) {
      hop.send { $0.show([row]) }
      work.leave()
    }
  }
  finish()
}
