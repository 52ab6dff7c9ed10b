// Tasks that wait for continuations, until the process ends.
//
// waiting SCENE LOG

import Breadcrumbs
import CrashCapture
import Dispatch
import Foundation

let arguments = CommandLine.arguments
let every = [scenes, actors, shutdowns, requests].reduce(into: [:]) { all, some in
  all.merge(some) { first, _ in first }
}
guard arguments.count == 3, let scene = every[arguments[1]] else {
  print("usage: waiting SCENE LOG")
  for name in every.keys.sorted() { print("  \(name)") }
  exit(64)
}
let recorder = try BreadcrumbRecorder(
  path: arguments[2], automatic: [.start, .exit, .termination, .waitedSignals])
var options = CrashOptions(
  capturesSIGQUIT: true, hangThreshold: .milliseconds(200), waitingTasksTimeLimit: .seconds(10))
if arguments[1] == "off" { options.waitingTasksTimeLimit = .zero }
// With the default, a check of the watch thread takes place at most every quarter of a second.
if arguments[1] == "lost" { options.hangThreshold = CrashOptions().hangThreshold }
if arguments[1] == "large" { options.waitingTasksTimeLimit = .milliseconds(2) }
if requests[arguments[1]] != nil { options.requestThreshold = .seconds(2) }
CrashHandler.install(recordingTo: recorder, options: options)
print("installed")
fflush(nil)
scene()
dispatchMain()
