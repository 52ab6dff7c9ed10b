// Misbehaves in the one way it is told, or behaves in the same place.
//
// misbehave WAY wrong|right LOG

import Breadcrumbs
import CrashCapture
import Dispatch
import Glibc

let every = [ways, hangs, pools, orders, ends, places].reduce(into: [:]) { all, some in
  all.merge(some) { first, _ in first }
}
let arguments = CommandLine.arguments
guard arguments.count == 4,
  let way = every[arguments[1]],
  ["wrong", "right"].contains(arguments[2])
else {
  print("usage: misbehave WAY wrong|right LOG")
  for name in every.keys.sorted() { print("  \(name)") }
  exit(64)
}
let holdsUp = arguments[1] == "concurrent-destination" && arguments[2] == "wrong"
let recorder = try BreadcrumbRecorder(
  path: arguments[3], capacity: 1 << 18, redact: holdsUp ? holdUpOneCall : nil)
CrashHandler.install(
  recordingTo: recorder,
  options: CrashOptions(
    capturesSIGQUIT: true,
    hangThreshold: hangs[arguments[1]] == nil ? .seconds(2) : .milliseconds(300),
    poolThreshold: pools[arguments[1]] == nil ? .seconds(2) : .milliseconds(300)))
recorder.recordLifecycle(.didBecomeActive)
way(arguments[2] == "wrong")
dispatchMain()
