// Measures the time from a fault until the signal is passed on and until the process has died, and the cost of crash
// capture for a host that does not crash.

import Foundation

if CommandLine.arguments.count == 7, CommandLine.arguments[1] == "die",
  let readiness = Readiness(rawValue: CommandLine.arguments[2])
{
  let figures = CommandLine.arguments[3...5].map { Int($0) ?? 0 }
  let load = Load(threads: figures[0], tasks: figures[1], megabytes: figures[2])
  try die(readiness, load, log: CommandLine.arguments[6])
  exit(1)
}

let environment = ProcessInfo.processInfo.environment

/// True if the run only has to show that the benchmark works.
let isSmall = environment["BENCH_SMALL"] != nil

/// The number of rounds: that of `BENCH_ROUNDS`, or `usual`.
func rounds(_ usual: Int) -> Int { environment["BENCH_ROUNDS"].flatMap { Int($0) } ?? usual }

/// Microseconds from the fault until the signal was passed on, if that was measured, and until the process had died.
struct Death {
  var handed: Double?
  var died: Double
}

func death(_ readiness: Readiness, _ load: Load) throws -> Death {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  let log = FileManager.default.temporaryDirectory.appendingPathComponent("crash-bench.log").path
  let figures = [load.threads, load.tasks, load.megabytes].map(String.init)
  let arguments = ["crash-bench", "die", readiness.rawValue] + figures + [log]
  let inherited = environment.filter { $0.key != "SWIFT_BACKTRACE" }
  let variables = inherited.map { "\($0.key)=\($0.value)" } + readiness.environment
  var child: pid_t = 0
  let argv = arguments.map { strdup($0) } + [nil]
  let envp = variables.map { strdup($0) } + [nil]
  defer { for text in argv + envp { free(text) } }
  guard posix_spawn(&child, "/proc/self/exe", &actions, nil, argv, envp) == 0 else {
    throw POSIXError(.ENOEXEC)
  }
  close(ends[1])
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0 && errno == EINTR {}
  let end = monotonicNanoseconds()
  var told: [UInt64] = [0, 0]
  let got = told.withUnsafeMutableBytes { read(ends[0], $0.baseAddress, 16) }
  close(ends[0])
  unlink(log)
  guard status & 0x7f == SIGSEGV, got >= 8 else { throw POSIXError(.EIO) }
  return Death(
    handed: got == 16 ? Double(told[1] - told[0]) / 1000 : nil, died: Double(end - told[0]) / 1000)
}

/// One line of output in the format of the runner.
struct Row: Encodable {
  var name: String
  var unit = "µs"
  var ours: [Double]
  var peer: [Double]?
  var peerName: String?
  var aim: Double?
}

func show(_ row: Row) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  var line = try encoder.encode(row)
  line.append(UInt8(ascii: "\n"))
  try FileHandle.standardOutput.write(contentsOf: line)
}

/// Prints the cost of the search for waiting tasks: the same death with and without the search, alternately.
func showSearches() throws {
  let large = isSmall ? [] : [(100_000, 0), (0, 1024)]
  for (tasks, megabytes) in [(0, 0), (1000, 0)] + large {
    var (ours, without): ([Double], [Double]) = ([], [])
    let load = Load(tasks: tasks, megabytes: megabytes)
    for _ in 0..<rounds(7) {
      ours.append(try death(.ours, load).died)
      without.append(try death(.oursWithoutTasks, load).died)
    }
    try show(
      Row(
        name: "fault to death, \(tasks) waiting tasks, \(megabytes) MiB of heap", ours: ours,
        peer: without, peerName: "no search"))
  }
}

if CommandLine.arguments.dropFirst() == ["waits"] {
  try showSearches()
  exit(0)
}

try showHostWork()
try showSearches()

for (threads, usual) in [(4, 21), (100, 11)] + (isSmall ? [] : [(1000, 5)]) {
  var handed: [Double] = []
  var bare: [Double] = []
  var ours: [Double] = []
  var backtracer: [Double] = []
  for _ in 0..<rounds(usual) {
    handed.append(try death(.oursTimed, Load(threads: threads)).handed ?? .nan)
    bare.append(try death(.none, Load(threads: threads)).died)
    ours.append(try death(.ours, Load(threads: threads)).died)
    backtracer.append(try death(.backtracer, Load(threads: threads)).died)
  }
  let base = bare.sorted()[bare.count / 2]
  try show(Row(name: "fault to hand-over, \(threads) threads", ours: handed))
  try show(Row(name: "fault to death without a handler, \(threads) threads", ours: bare))
  try show(
    Row(
      name: "fault to death, \(threads) threads", ours: ours, peer: backtracer,
      peerName: "Swift's backtracer"))
  try show(
    Row(
      name: "time added to the death, \(threads) threads", ours: ours.map { $0 - base },
      peer: backtracer.map { $0 - base }, peerName: "Swift's backtracer", aim: 0.1))
}
