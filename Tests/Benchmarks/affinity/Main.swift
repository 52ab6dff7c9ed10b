import Dispatch
import Foundation
import ThreadAffinity

/// What a check costs where all is well, and what it costs off its queue, beside the system's own.
@main
struct AffinityBenchmark {
  static func main() {
    passing()
    onSerialQueue()
    offMain()
    DispatchQueue.global().async {
      HopBenchmark().run()
      exit(0)
    }
    dispatchMain()
  }

  private static func passing() {
    let empty = Subject(name: "empty") { blackHole(true) }
    let times = measure([
      empty,
      Subject(name: "isCurrent") { blackHole(MainQueue.isCurrent) },
      Subject(name: "expectMainQueue") { blackHole(expectMainQueue("\(CommandLine.arguments)")) },
      Subject(name: "Affinity.main.expect") { blackHole(Affinity.main.expect()) },
      Subject(name: "assumingMainQueue") { blackHole(assumingMainQueue { true } ?? false) },
      Subject(name: "uiWork") { blackHole(uiWork("bench") { true }) },
      Subject(name: "dispatchPrecondition") {
        dispatchPrecondition(condition: .onQueue(.main))
        blackHole(true)
      },
      Subject(name: "preconditionIsolated") {
        MainActor.preconditionIsolated()
        blackHole(true)
      },
      Subject(name: "Thread.isMainThread") { blackHole(Thread.isMainThread) },
    ])
    let precondition = times["dispatchPrecondition"]!.nanoseconds
    report(
      "isCurrent on main", times["isCurrent"]!, peer: precondition,
      peerName: "dispatchPrecondition", aim: 0.1)
    report(
      "expectMainQueue on main", times["expectMainQueue"]!, peer: precondition,
      peerName: "dispatchPrecondition", aim: 0.1)
    report(
      "expectMainQueue on main", times["expectMainQueue"]!,
      peer: times["preconditionIsolated"]!.nanoseconds,
      peerName: "MainActor.preconditionIsolated", aim: nil)
    report(
      "expectMainQueue on main", times["expectMainQueue"]!,
      peer: times["Thread.isMainThread"]!.nanoseconds, peerName: "Thread.isMainThread", aim: nil)
    report(
      "Affinity.main.expect on main", times["Affinity.main.expect"]!, peer: precondition,
      peerName: "dispatchPrecondition", aim: 0.1)
    report(
      "uiWork on main, unrecorded", times["uiWork"]!, peer: precondition,
      peerName: "dispatchPrecondition", aim: nil)
    report(
      "assumingMainQueue on main", times["assumingMainQueue"]!,
      peer: times["preconditionIsolated"]!.nanoseconds,
      peerName: "MainActor.preconditionIsolated", aim: nil)
  }

  private static func onSerialQueue() {
    let queue = DispatchQueue(label: "bench.serial")
    let affinity = Affinity.queue(queue)
    queue.sync {
      let times = measure([
        Subject(name: "expect") { blackHole(affinity.expect("\(CommandLine.arguments)")) },
        Subject(name: "dispatchPrecondition") {
          dispatchPrecondition(condition: .onQueue(queue))
          blackHole(true)
        },
      ])
      report(
        "affinity.expect on its serial queue", times["expect"]!,
        peer: times["dispatchPrecondition"]!.nanoseconds,
        peerName: "dispatchPrecondition of a stored queue", aim: nil)
    }
    let main = measure([
      Subject(name: "dispatchPrecondition") {
        dispatchPrecondition(condition: .onQueue(.main))
        blackHole(true)
      }
    ])["dispatchPrecondition"]!.nanoseconds
    queue.sync {
      let times = measure([
        Subject(name: "expect") { blackHole(affinity.expect("\(CommandLine.arguments)")) }
      ])
      report(
        "affinity.expect on its serial queue", times["expect"]!, peer: main,
        peerName: "dispatchPrecondition", aim: 0.1)
    }
  }

  /// A check that fails cannot be compared with one that traps: the peer is what passes on main.
  private static func offMain() {
    let peer = measure([
      Subject(name: "dispatchPrecondition") {
        dispatchPrecondition(condition: .onQueue(.main))
        blackHole(true)
      }
    ])["dispatchPrecondition"]!.nanoseconds
    let queue = DispatchQueue(label: "bench.off")
    let other = Affinity.queue(DispatchQueue(label: "bench.other"))
    let done = DispatchSemaphore(value: 0)
    queue.async {
      let times = measure([
        Subject(name: "isCurrent") { blackHole(MainQueue.isCurrent) },
        Subject(name: "other") { blackHole(other.isCurrent) },
        Subject(name: "isMainThread") { blackHole(Thread.isMainThread) },
      ])
      report(
        "isCurrent off main, on a queue", times["isCurrent"]!, peer: peer,
        peerName: "dispatchPrecondition on main", aim: 0.25)
      report(
        "isCurrent of another queue", times["other"]!, peer: peer,
        peerName: "dispatchPrecondition on main", aim: 0.25)
      report(
        "isCurrent off main, on a queue", times["isCurrent"]!,
        peer: times["isMainThread"]!.nanoseconds, peerName: "Thread.isMainThread", aim: nil)
      done.signal()
    }
    done.wait()
    Thread.detachNewThread {
      let times = measure([Subject(name: "isCurrent") { blackHole(MainQueue.isCurrent) }])
      report(
        "isCurrent on a thread outside Dispatch", times["isCurrent"]!, peer: peer,
        peerName: "dispatchPrecondition on main", aim: 0.25)
      done.signal()
    }
    done.wait()
  }
}

/// Keeps the optimiser from dropping what made `value`.
@_optimize(none) func blackHole(_ value: Bool) {}
