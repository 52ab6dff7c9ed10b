import BenchmarkHarness
import Breadcrumbs
import Foundation

// Compares the cost of a crumb with that of the alternatives. All files are below the current directory, and so on one
// file system.

let rounds = Settings.rounds(11)
let directory = "\(FileManager.default.currentDirectoryPath)/crumbs"
let peers = try PeerSet(in: directory, threads: 4)
let recorder = try BreadcrumbRecorder(path: "\(directory)/breadcrumbs.log")
let frames = 16

let crumb = Contender("crumb") { _ in Crumb(recorder: recorder) }
let withValues = Contender("crumb, 3 values") { _ in CrumbWithValues(recorder: recorder) }
let withText = Contender("crumb, run-time text") { _ in
  CrumbWithText(recorder: recorder, text: String(repeating: "checkout started, ", count: 2))
}
let withStack = Contender("crumb, \(frames)-frame stack", frames: frames) { _ in
  CrumbWithStack(recorder: recorder)
}
let backtrace = Contender("unw_backtrace", frames: frames) { _ in
  BareBacktrace(frames: Int32(frames))
}

try compareCore(rounds: rounds)
for threads in [1, 2, 4] {
  let others = peers.forMessages(threads: threads)
  try compare(crumb, with: others, threads: threads, rounds: rounds, aims: ["floor": 2])
}
try compareThreads(peers.floor, rounds: rounds)
try compareThreads(crumb, rounds: rounds, aim: 1.1)
try compare(withText, with: [peers.floor], threads: 1, rounds: rounds)
for threads in [1, 2, 4] {
  let others = peers.forValues(threads: threads)
  try compare(withValues, with: others, threads: threads, rounds: rounds, aims: ["LTTng-UST": 0.3])
}
for threads in [1, 2, 4] {
  try compare(
    withStack, with: [backtrace], threads: threads, rounds: rounds, aims: ["unw_backtrace": 1.3])
}
try compare(withStack, with: [crumb], threads: 1, rounds: rounds, aims: ["crumb": 1.6])
try compareFirstCalls(withStack, with: backtrace, threads: Settings.isSmall ? 10 : 200)
try compareRequests(in: directory, rounds: rounds)

recorder.close()
try peers.remove()
