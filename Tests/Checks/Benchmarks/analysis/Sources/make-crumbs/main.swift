// Makes a log of many crumbs, and the same crumbs as JSON lines.
//
// make-crumbs COUNT LOG [LINES]

import Breadcrumbs
import Dispatch
import Foundation
import ThreadAffinity

let arguments = CommandLine.arguments
guard arguments.count >= 3, let count = Int(arguments[1]) else {
  print("usage: make-crumbs COUNT LOG [LINES]")
  exit(64)
}
ViolationPolicy.default = .record.repeating(.always)
let recorder = try BreadcrumbRecorder(
  path: arguments[2], capacity: max(64 << 20, count * 320), keepingLast: 0)
recorder.recordLifecycle(.didBecomeActive)

let writers = 4
let group = DispatchGroup()
let lines = arguments.count > 3 ? LineFile(path: arguments[3]) : nil
for writer in 0..<writers {
  let queue = DispatchQueue(label: "com.example.worker.\(writer)")
  queue.async(group: group) { Writer(writer, lines: lines).write(count / writers) }
}
group.notify(queue: .main) {
  recorder.recordLifecycle(.didEnterBackground)
  lines?.close()
  exit(0)
}
dispatchMain()
