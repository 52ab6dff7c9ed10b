// Leaves the log of one scene: what the page with the timeline is tried with.
//
// timeline-scene SCENE LOG

import Breadcrumbs
import CrashCapture
import Dispatch
import Glibc

let scenes: [String: @Sendable () throws -> Void] = [
  "market": market, "crowd": crowd, "hostile": hostile, "quiet": quiet, "empty": empty,
]
let arguments = CommandLine.arguments
guard arguments.count == 3, let scene = scenes[arguments[1]] else {
  print("usage: timeline-scene \(scenes.keys.sorted().joined(separator: "|")) LOG")
  exit(64)
}
let recorder = try BreadcrumbRecorder(
  path: arguments[2], capacity: arguments[1] == "crowd" ? 128 << 20 : 4 << 20, keepingLast: 0,
  automatic: arguments[1] == "empty" ? [] : .all)
try scene()
dispatchMain()
