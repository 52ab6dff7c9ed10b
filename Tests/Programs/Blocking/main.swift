// Blocks a thread, or does not.
//
// blocking SCENE [LOG record|log|trap|none]
//
// Without a log it has no recorder, and without a policy it looks at nothing itself.

import BlockingCalls
import Breadcrumbs
import Dispatch
import Foundation
import ThreadAffinity

let arguments = CommandLine.arguments
guard [2, 4].contains(arguments.count), let scene = scenes[arguments[1]] else {
  print("usage: blocking SCENE [LOG record|log|trap|none]")
  for name in scenes.keys.sorted() { print("  \(name)") }
  exit(64)
}
let policies: [String: BlockingCalls.Policy] = ["record": .record, "log": .log, "trap": .trap]
let recorder: BreadcrumbRecorder?
if arguments.count == 4 {
  recorder = try BreadcrumbRecorder(path: arguments[2], automatic: [.start, .exit])
  if let policy = policies[arguments[3]] { try BlockingCalls.report(to: recorder, policy: policy) }
} else {
  recorder = nil
  // Learns how queues are told apart, now and not where it is looked at.
  _ = MainQueue.isCurrent
}
// What the main queue runs first counts as the start of the program.
DispatchQueue.main.async {
  DispatchQueue.main.async { scene() }
}
dispatchMain()
