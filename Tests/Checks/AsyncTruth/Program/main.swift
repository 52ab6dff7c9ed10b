// Lets tasks call one another in every way there is, suspend, be cancelled and die, takes their stacks
// at random instants, and compares each caller with what the tasks themselves wrote down.
//
//   async-truth TASKS   exits with 0 if no walk was wrong

import LogReading
import Breadcrumbs
import CShadow
import Glibc
import IncidentModel

guard let wanted = CommandLine.arguments.dropFirst().first.flatMap(UInt64.init), shadow_learn()
else {
  print("usage: async-truth TASKS")
  exit(64)
}
let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
var template = Array("\(temporary)/mainstay-truth-XXXXXX".utf8CString)
guard mkdtemp(&template) != nil else { exit(64) }
let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
let log = "\(folder)/breadcrumbs.log"
let recorder = try BreadcrumbRecorder(
  path: log, capacity: 256 << 20, stackDepth: 128, automatic: [])

shadow_interrupt_start()
var number: UInt64 = 0
while shadow_tasks() < wanted {
  // As many at a time as a busy service has.
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<200 {
      number += 1
      let trip = Trip(steps: 10, seed: number)
      let task = Task.detached { _ = try? await way00(trip) }
      group.addTask {
        var trip = trip
        if trip.random(4) == 0 {
          try? await Task.sleep(nanoseconds: UInt64(trip.random(300_000)))
          task.cancel()
        }
        await task.value
      }
    }
  }
}
shadow_interrupt_stop()

let crumbs = try LogReader(path: log).read().crumbs
for crumb in crumbs {
  guard let stack = crumb.stack else { continue }
  let frames = stack.frames.map(\.word)
  shadow_compare_record(crumb.message, frames, UInt32(frames.count), stack.end == .complete)
}
unlink(log)
rmdir(folder)

print("tasks \(shadow_tasks())")
var isRight = true
for (name, kind) in [
  ("walks of their own", SHADOW_LOOKS), ("records", SHADOW_RECORDS),
  ("interrupts", SHADOW_INTERRUPTS),
] {
  let sums = shadow_result(kind)
  print(
    "\(name): right \(sums.right), cut \(sums.missing), silently cut \(sums.silent), "
      + "invented \(sums.invented); \(sums.callers) callers"
      + (kind == SHADOW_INTERRUPTS ? "; elsewhere \(sums.off)" : ""))
  isRight = isRight && sums.right > 0 && sums.silent == 0 && sums.invented == 0
}
shadow_print_wrong()
exit(isRight ? 0 : 1)
