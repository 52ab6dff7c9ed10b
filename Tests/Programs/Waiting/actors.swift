import Dispatch
import Glibc
import Synchronization

/// An actor whose method checks a state, awaits, and relies on the state.
actor Seats {
  private var free = [1]
  private var log: [String] = []

  @inline(never) func reserve(_ who: String) async {
    if free.isEmpty { return }
    await askForPrices()
    log.append("\(who) has seat \(free.popLast()!)")
  }

  /// Takes in a method of its own.
  @inline(never) func reserveByCall(_ who: String) async {
    if free.isEmpty { return }
    await askForPrices()
    take(who)
  }

  @inline(never) private func take(_ who: String) {
    log.append("\(who) has seat \(free.popLast()!)")
  }

  /// Fails before its await if another call is in progress.
  @inline(never) func reserveOnce(_ who: String) async {
    log.append("\(who) has seat \(free.popLast()!)")
    await askForPrices()
    log.append("\(who) paid")
  }

  /// Fails for what it received, whatever the actor's state.
  @inline(never) func weigh(_ parcel: Int?) async {
    await askForPrices()
    print(parcel! + 1)
  }

  /// Runs on no actor.
  @inline(never) nonisolated func check(_ who: String?) async {
    await askForPrices()
    print(who!)
  }

  /// Keeps the actor until other tasks wait for their turn.
  @inline(never) func reserveSlowly(_ who: String, whileHolding hold: @Sendable () -> Void) async {
    await askForPrices()
    hold()
    free.removeAll()
    log.append("\(who) has seat \(free.popLast()!)")
  }

  @inline(never) func cancel() async {
    await askForStock()
    free.append(1)
  }
}

/// Another actor with a method of the same name.
actor Tables {
  private var free = [1]

  @inline(never) func reserve(_ who: String) async {
    await askForPrices()
    print(who, free.count)
  }
}

struct Pricing {
  var price: [Int]

  @inline(never) func reserve(_ who: String) async {
    await askForPrices()
    print(who, price.first!)
  }
}

extension Pricing {
  /// Runs on the actor of its caller.
  @inline(never) nonisolated(nonsending) func reserveHere(_ who: String) async {
    await askForPrices()
    print(who, price.first!)
  }
}

extension Seats {
  func reserveByPricing() async { await Pricing(price: []).reserveHere("a") }
}

@globalActor actor Office {
  static let shared = Office()
}

@Office var officeSeats = [1]

@Office @inline(never) func reserveOffice(_ who: String) async {
  await askForPrices()
  print(who, officeSeats.popLast()!)
}

/// Waits until so many tasks wait for prices.
private func onceAsked(_ count: Int) {
  while unanswered.withLock({ $0.count }) < count { usleep(1000) }
  // The last one is on its way from its continuation's closure to its suspension.
  usleep(50_000)
}

private func answerFirst() { unanswered.withLock { $0.removeFirst() }.resume() }

/// Starts so many calls, and lets the first two of them go on, one after the other.
private func run(
  _ calls: Int, answering answers: Int = 2, _ call: @escaping @Sendable () async -> Void
) {
  for place in 1...calls {
    Task.detached { await call() }
    onceAsked(place)
  }
  for _ in 0..<answers {
    answerFirst()
    usleep(100_000)
  }
}

/// Calls of actors that are in progress while one of them crashes.
let actors: [String: @Sendable () -> Void] = [
  "reentered": {
    let seats = Seats()
    run(4) { await seats.reserve("a") }
  },
  "reentered-by-call": {
    let seats = Seats()
    run(4) { await seats.reserveByCall("a") }
  },
  "reentered-elsewhere": {
    let seats = Seats()
    for _ in 0..<2 { Task.detached { await seats.cancel() } }
    onceAsked(2)
    for place in 3...4 {
      Task.detached { await seats.reserve("a") }
      onceAsked(place)
    }
    for _ in 0..<2 {
      unanswered.withLock { $0.remove(at: 2) }.resume()
      usleep(100_000)
    }
  },
  "before-await": {
    let seats = Seats()
    Task.detached { await seats.reserveOnce("a") }
    onceAsked(1)
    Task.detached { await seats.reserveOnce("b") }
  },
  "of-argument": {
    let seats = Seats()
    run(3, answering: 1) { await seats.weigh(nil) }
  },
  "nonisolated": {
    let seats = Seats()
    run(3, answering: 1) { await seats.check(nil) }
  },
  "other-type": {
    let seats = Seats(), tables = Tables()
    Task.detached { await seats.reserveSlowly("a") {} }
    onceAsked(1)
    for place in 2...4 {
      Task.detached { await tables.reserve("b") }
      onceAsked(place)
    }
    answerFirst()
  },
  "struct": { run(3, answering: 1) { await Pricing(price: []).reserve("a") } },
  "struct-on-actor": {
    let seats = Seats()
    run(3, answering: 1) { await seats.reserveByPricing() }
  },
  "global-actor": { run(4) { await reserveOffice("a") } },
  "alone": {
    let seats = Seats()
    run(1, answering: 1) { await seats.reserveSlowly("a") {} }
  },
  "before-its-turn": {
    let seats = Seats()
    run(1, answering: 1) {
      await seats.reserveSlowly("a") {
        for _ in 0..<3 { Task.detached { await seats.reserve("b") } }
        usleep(100_000)
      }
    }
  },
]
