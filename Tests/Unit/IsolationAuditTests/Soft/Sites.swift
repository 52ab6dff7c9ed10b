// Each site fails an isolation check, except those that begin with "main".
import Dispatch
import Five
import Foundation

@globalActor actor Ledger { static let shared = Ledger() }

actor Store {
  var count = 0
  nonisolated func poke() { assumeIsolated { $0.count += 1 } }
}

@MainActor final class Model: @preconcurrency FiveDelegate, @preconcurrency FiveSource {
  var count = 0
  func done(_ number: Int) { count += number }
  var limit: Int { count }
  func item(at index: Int) -> Int { count + index }
  func bump() { count += 1 }
  nonisolated func demands() { MainActor.preconditionIsolated() }
  nonisolated func assumes() { MainActor.assumeIsolated { count += 1 } }
}

@Ledger final class Book {
  var entries = 0
  func post(_ five: Five) { five.later { self.entries += 1 } }
}

func elsewhere(_ body: @escaping @Sendable () -> Void) {
  DispatchQueue(label: "elsewhere").sync { Thread.detachNewThread(body) }
}

func end(_ site: String) {
  DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) {
    print(site, "went on"); exit(0)
  }
}

@MainActor func run(_ site: String) {
  let (model, five) = (Model(), Five())
  let delegate = UncheckedBox(model as any FiveDelegate)
  switch site {
  case "closure": five.later { model.count += 1 }
  case "generic": five.map({ $0 }, { model.count += $0 })
  case "method": five.later(model.bump)
  case "witness": elsewhere { delegate.value.done(1) }
  case "getter": elsewhere { _ = delegate.value.limit }
  case "precondition": elsewhere { model.demands() }
  case "assumption": elsewhere { model.assumes() }
  case "actor": let store = Store(); elsewhere { store.poke() }
  case "ledger": Task { @Ledger in Book().post(five) }
  case "repeated": five.later { for _ in 0..<10 { five.now { model.count += 1 } } }
  case "main-closure": five.onMain { model.count += 1 }
  case "main-assumption":
    DispatchQueue.main.async {
      model.assumes(); model.demands()
    }
  case "main-task":
    Task {
      model.bump(); model.demands()
    }
  default: fatalError("no site \(site)")
  }
  end(site)
}

struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

@main struct Sites {
  static func main() {
    MainActor.assumeIsolated { run(CommandLine.arguments[1]) }
    dispatchMain()
  }
}
