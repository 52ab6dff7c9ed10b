// Dies in the way it is told, where it is told, with or without a crash handler.
//
// victim WAY PLACE LOG|- [NUMBER]

import Breadcrumbs
import CVictims
import CrashCapture
import Dispatch
import Foundation

let arguments = CommandLine.arguments
guard arguments.count >= 4, let way = ways[arguments[1]], let place = Place(rawValue: arguments[2])
else {
  print("usage: victim WAY PLACE LOG|- [NUMBER]")
  for name in ways.keys.sorted() { print("  \(name)") }
  exit(64)
}
let path = arguments[3]
if arguments[1].hasPrefix("recovered") { install_recovering_handler() }
prepareEnding(arguments[1])
var recorder: BreadcrumbRecorder?
if path != "-" {
  // Whatever threads the recorder may have, where somebody looks at all threads.
  let everything = ProcessInfo.processInfo.environment["VICTIM_RECORDS"] == "everything"
  let opened = try BreadcrumbRecorder(
    path: path, automatic: everything ? .all : [.start, .exit, .termination])
  opened.record("about to die", category: "victim", data: ["way": .string(arguments[1])])
  if arguments[1] != "before-install" {
    let late: Duration? = everything ? .seconds(60) : nil
    CrashHandler.install(
      recordingTo: opened,
      options: CrashOptions(
        otherThreadsTimeLimit: arguments[1] == "many-threads-hurried"
          ? .milliseconds(1) : .seconds(1),
        capturesSIGQUIT: true,
        hangThreshold: hangs[arguments[1]] != nil ? .milliseconds(200) : late,
        poolThreshold: late, loopThreshold: late,
        remembersThrownErrors: true))
  }
  if arguments[1] == "after-uninstall" { CrashHandler.uninstall() }
  if everything { waitUntilOthersSleep() }
  recorder = opened
  crumbs = opened
}
// No function can do this one.
if arguments[1] == "throw-at-top-level" { try throwing() }
run(way, at: place)
