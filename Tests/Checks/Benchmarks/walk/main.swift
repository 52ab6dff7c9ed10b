import BenchmarkHarness
import CRecorder
import CWalkPeers
import Foundation

// Compares the cost of a walk with other methods that find the same frames, or some of them.

// In a child process: print the time of the first walk.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "first" {
  if CommandLine.arguments[2] == Walker.ours.name { ms_walk_start() }
  let walker = ([.ours] + Walker.peers).first { $0.name == CommandLine.arguments[2] }
  print(walker.map { $0.firstOnThread(capacity: 16) } ?? .nan)
  exit(0)
}

let rounds = Settings.rounds(25)
ms_walk_start()

for place in Place.all {
  var figures: [String: [Double]] = [:]
  for _ in 0..<rounds {
    for walker in [.ours, .again] + Walker.peers {
      place.visit {
        figures[walker.name, default: []].append(walker.mean(capacity: place.capacity))
      }
    }
  }
  for peer in Walker.peers {
    let isChain =
      peer.name == Walker.framePointers.name && place.name.contains("with frame pointers")
    try Row(
      place.name, ours: figures[Walker.ours.name]!, peer: figures[peer.name]!, peerName: peer.name,
      aim: isChain ? 1.5 : nil
    ).print()
    if isChain {
      try Row(
        "\(place.name), the same again", ours: figures[Walker.again.name]!,
        peer: figures[peer.name]!, peerName: peer.name
      ).print()
    }
  }
}

// A task's stack of 16 frames and 16 async callers, compared with 16 frames alone and with Swift's backtracer.
AsyncStack.learn()
let least = AsyncStack.counts(1, awaitedBy: 0)
let (onStack, waiting) = (17 - (least.all - least.waiting), 16 - least.waiting)
do {
  guard AsyncStack.counts(onStack, awaitedBy: waiting) == (32, 16) else {
    fatalError("a task's stack is not what it is measured as")
  }
  nonisolated(unsafe) var (ours, plain, swift): ([Double], [Double], [Double]) = ([], [], [])
  for _ in 0..<rounds {
    AsyncStack.visit(onStack, awaitedBy: waiting) {
      ours.append(Walker.ours.mean(capacity: 64))
      plain.append(Walker.ours.mean(capacity: 16))
      swift.append(Walker.swift.mean(capacity: 64))
    }
  }
  try Row(
    "16 frames and 16 async callers", ours: ours, peer: plain, peerName: "16 frames alone", aim: 2.5
  ).print()
  try Row(
    "16 frames and 16 async callers", ours: ours, peer: swift, peerName: Walker.swift.name
  ).print()
}

for (framePointers, functions) in [(true, 512), (true, 4096), (false, 512), (false, 4096)] {
  var (ours, peer): ([Double], [Double]) = ([], [])
  for _ in 0..<rounds {
    ours.append(Walker.ours.random(framePointers: framePointers, functions: UInt32(functions)))
    peer.append(
      Walker.unwBacktrace.random(framePointers: framePointers, functions: UInt32(functions)))
  }
  let kind = framePointers ? "with" : "without"
  try Row(
    "16 of \(functions) functions at random \(kind) frame pointers", ours: ours, peer: peer,
    peerName: Walker.unwBacktrace.name
  ).print()
}

var (first, peerFirst): ([Double], [Double]) = ([], [])
for _ in 0..<100 {
  first.append(Walker.ours.firstOnThread(capacity: 16))
  peerFirst.append(Walker.unwBacktrace.firstOnThread(capacity: 16))
}
try Row(
  "first on a new thread", ours: first, peer: peerFirst, peerName: Walker.unwBacktrace.name
).print()

(first, peerFirst) = ([], [])
for _ in 0..<rounds {
  first.append(try firstInProcess(.ours))
  peerFirst.append(try firstInProcess(.unwBacktrace))
}
try Row(
  "first in a process, on a new thread", ours: first, peer: peerFirst,
  peerName: Walker.unwBacktrace.name
).print()

var (memory, peerMemory): ([Double], [Double]) = ([], [])
for _ in 0..<5 {
  memory.append(Walker.ours.memory(threads: 200))
  peerMemory.append(Walker.unwBacktrace.memory(threads: 200))
}
try Row(
  "memory for each thread", unit: "bytes", ours: memory, peer: peerMemory,
  peerName: Walker.unwBacktrace.name
).print()

func firstInProcess(_ walker: Walker) throws -> Double {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  process.arguments = ["first", walker.name]
  process.standardOutput = output
  try process.run()
  let text = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  let line = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  return Double(line) ?? .nan
}
