import Dispatch
import Foundation
import SwiftFive
import ThreadAffinity

/// One violation, or none, in a process that may die of it: `affinity-child <scenario>`.
@main
struct AffinityChild {
  static func main() {
    let queue = DispatchQueue(label: "child.work")
    let scenarios: [String: @Sendable () -> Void] = [
      "expect": { offMain { expectThrice() } },
      "expect-own-policy": {
        offMain { Affinity.main.policy(.ignore).expect("own policy") }
      },
      "set-policy-twice": {
        ViolationPolicy.default = .ignore
        ViolationPolicy.default = .record
        offMain { expectMainQueue("after setting") }
      },
      "queue": { offMain { Affinity.queue(queue).expect("rows change") } },
      "require": { offMain { requireMainQueue("layout") } },
      "require-on-main": { requireMainQueue("layout") },
      "require-queue": { offMain { Affinity.queue(queue).require("rows change") } },
      "require-actor": { offMain { Vault().requireIsolated("vaults") } },
      "require-isolation": { offMain { requireIsolation("vaults", isolation: nil) } },
      "require-global-actor": { offMain { MainActor.requireIsolated("vaults") } },
      "assuming": {
        offMain { print(assumingMainQueue("title") { 1 } as Any) }
        print(assumingMainQueue("title") { 2 } as Any)
      },
      "isolated": { withPolicy { offMain { MainActor.preconditionIsolated("mine") } } },
      "assume-isolated": { withPolicy { offMain { MainActor.assumeIsolated {} } } },
      "isolated-on-main": { MainActor.preconditionIsolated("mine") },
    ]
    if CommandLine.arguments.last == "recorded-hops" { recordHops() }
    if CommandLine.arguments.last?.hasPrefix("hops-under-") == true { hopAsOldCodeDoes() }
    guard let scenario = scenarios[CommandLine.arguments.last ?? ""] else {
      fatalError("usage: affinity-child \(scenarios.keys.sorted())")
    }
    scenario()
    print("survived")
  }
}

private actor Vault {}

private func expectThrice() {
  for _ in 1...3 { expectMainQueue("three; times") }
}

/// Runs `body` after a policy was set in code.
private func withPolicy(_ body: () -> Void) {
  ViolationPolicy.default = .ignore
  body()
}

/// Runs `body` on a queue that is not the main one, while main waits elsewhere.
private func offMain(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  DispatchQueue(label: "child.off").async {
    body()
    done.signal()
  }
  done.wait()
}

/// Hops in a program whose main queue runs as the last argument says.
private func hopAsOldCodeDoes() -> Never {
  loadAsOldCodeDoes { outcome in
    print(outcome)
    exit(0)
  }
  if CommandLine.arguments.last == "hops-under-runLoop" { while true { RunLoop.main.run() } }
  dispatchMain()
}
