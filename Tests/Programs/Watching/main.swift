// Has executors watched that hang, rest, are stopped or go, and ends.
//
// watching SCENE LOG

import Breadcrumbs
import CCrashHandler
import CrashCapture
import Dispatch
import Foundation
import Synchronization

let arguments = CommandLine.arguments
guard arguments.count == 3, let scene = scenes[arguments[1]] else {
  print("usage: watching SCENE LOG")
  for name in scenes.keys.sorted() { print("  \(name)") }
  exit(64)
}
let recorder = try BreadcrumbRecorder(path: arguments[2], automatic: [.start, .exit])
let isIdle = rests.contains(arguments[1])
CrashHandler.install(
  recordingTo: recorder,
  options: CrashOptions(
    hangThreshold: isIdle
      ? .seconds(2) : watchesMain.contains(arguments[1]) ? .milliseconds(400) : nil,
    poolThreshold: isIdle ? .seconds(2) : .milliseconds(200),
    loopThreshold: .milliseconds(600)))
scene()
dispatchMain()
