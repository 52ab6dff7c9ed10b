// The comment at the end of a line is the rank that the audit must give it; `none` stands for no place.
// The optimizer removes checks that cannot fail.
import Dispatch
import Five
import Foundation
import FoundationNetworking

@MainActor final class Model {
  var count = 0
  let queue = DispatchQueue(label: "audited")

  func closures(_ five: Five) {
    five.later { self.count += 1 }  //= elsewhere
    five.now { self.count += 2 }  //= here
    five.keep { [weak self] in self?.count += 3 }  //= kept
    five.onMain { self.count += 4 }  //= here
    five.twice { self.count += 5 }  //= elsewhere
    five.waitsForMain { self.count += 6 }  //= here
    five.map({ $0 + self.count }, { self.count = $0 })  //= elsewhere
    five.later(bump)  //= elsewhere
    let stored: () -> Void = { self.count += 7 }  //= none
    five.later(stored)
    five.later { @Sendable in Task { @MainActor in self.count += 8 } }  //= none
    five.later { five.now { print("no actor") } }  //= elsewhere
    Task { self.count += 9 }  //= none
  }

  func generics<Item: Sendable>(_ five: Five, _ item: Item) {
    five.map({ _ in item }, { _ in self.count += 10 })  //= elsewhere
    let runner = Runner(item) { _ in self.count += 11 }  //= kept
    runner.start()
  }

  func classes(_ base: Base) {
    base.run { self.count += 12 }  //= elsewhere
  }

  func genericClasses(_ service: Service<Int>) {
    service.once(on: .main) { self.count += $0 }  //= here
    service.once(on: .global()) { self.count += $0 }  //= elsewhere
    service.timer(.main) { self.count += 13 }  //= here
    service.timer(.global()) { self.count += 14 }  //= elsewhere
    _ = service.sync { $0 + self.count }  //= here
  }

  func branches(_ five: Five) {
    if count > 3 {
      five.later { self.count -= 1 }  //= elsewhere kept
    } else {
      five.later { self.count += 1 }  //= elsewhere kept
    }
    for index in 0..<2 { five.later { self.count += index } }  //= elsewhere
  }

  // The optimizer merges these two closures with the first of `branches`.
  static func make(_ five: Five, _ model: Model) { five.later { model.count += 1 } }  //= elsewhere
  var property: Int {
    get { count }
    set { Five().later { self.count += 1 } }  //= elsewhere
  }

  func asynchronous(_ five: Five) async {
    await Task.yield()
    five.later { self.count += 15 }  //= elsewhere
    await withCheckedContinuation { done in  //= here none
      five.later { done.resume() }  //= elsewhere none
    }
  }

  let signals = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .main)

  func sources() {
    signals.setEventHandler { self.count += 16 }  //= kept
    let resized = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .main)
    resized.setEventHandler { self.count += 17 }  //= here
    let input = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .global())
    input.setEventHandler { self.count += 18 }  //= elsewhere
  }

  func checks() {
    DispatchQueue.global().async { MainActor.assumeIsolated { self.count += 20 } }  //= elsewhere
    queue.sync { MainActor.assumeIsolated { self.count += 21 } }  //= here none
    DispatchQueue.main.async { MainActor.assumeIsolated { self.count += 22 } }  //= here none
    Thread.detachNewThread { MainActor.assumeIsolated { self.count += 23 } }  //= elsewhere
    let operations = OperationQueue()
    operations.addOperation { MainActor.assumeIsolated { self.count += 24 } }  //= elsewhere
    OperationQueue.main.addOperation { MainActor.assumeIsolated { self.count += 25 } }  //= here
    let session = URLSession.shared
    let address = URL(string: "http://localhost")!
    session.dataTask(with: address) { _, _, _ in
      MainActor.assumeIsolated { self.count += 26 }  //= elsewhere
    }.resume()
    let timer = Timer(timeInterval: 1, repeats: false) { _ in
      MainActor.assumeIsolated { self.count += 27 }  //= kept
    }
    RunLoop.main.add(timer, forMode: .default)
  }

  nonisolated func demands() {
    MainActor.preconditionIsolated()  //= here
    dispatchPrecondition(condition: .onQueue(.main))  //= here
  }

  // Mainstay's checks have such names too.
  nonisolated func refuse(_ text: String) { print(text) }
  nonisolated func turnAway() { refuse("full") }  //= none

  func bump() { count += 30 }
}

extension Model: @preconcurrency FiveDelegate {
  func done(_ number: Int) { count += number }  //= kept
  var limit: Int { count }  //= kept
}

extension Model: @preconcurrency FiveSource {
  func item(at index: Int) -> String { "\(count)" }  //= kept
}

actor Ledger {
  var count = 0

  func post(_ five: Five) {
    five.later { self.count += 1 }  //= elsewhere
  }
}

@globalActor actor Vault { static let shared = Vault() }

@Vault final class Safe {
  var count = 0

  func open(_ five: Five) {
    five.later { self.count += 1 }  //= elsewhere
  }
}

@main struct App {
  static func main() {
    let (model, five) = (Model(), Five())
    model.closures(five)
    model.generics(five, "item")
    model.classes(Base())
    model.genericClasses(Service(3))
    model.branches(five)
    Model.make(five, model)
    model.property = 3
    model.sources()
    model.checks()
    Task { await model.asynchronous(Five()) }
    Task { await Ledger().post(Five()) }
    Task { await Safe().open(Five()) }
    model.demands()
    model.turnAway()
    dispatchMain()
  }
}
