// Lets victims die in every way, checks what they left, and writes the table of what was seen.
//
// victims [--verbose] [--table FILE] debug=VICTIM [release=VICTIM] [WAY…]

import Foundation
import VictimTrials

/// Says it at once, also into a file.
func say(_ line: String, to file: FileHandle = .standardOutput) {
  file.write(Data((line + "\n").utf8))
}

var builds: [(name: String, path: String)] = []
var ways: [String] = []
var tablePath: String?
var isVerbose = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--verbose": isVerbose = true
  case "--table": tablePath = arguments.popFirst()
  case _ where argument.contains("="):
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    builds.append((parts[0], parts.count > 1 ? parts[1] : ""))
  default: ways.append(argument)
  }
}
let trials = Trial.all.filter { ways.isEmpty || ways.contains($0.way) }
guard !builds.isEmpty, !trials.isEmpty else {
  say("usage: victims [--verbose] [--table FILE] debug=VICTIM [release=VICTIM] [WAY…]")
  exit(64)
}

var table = CoverageTable(builds: builds.map(\.name))
for build in builds {
  var runner = try TrialRunner(executable: build.path, isDebug: build.name == "debug")
  for trial in trials {
    if let obstacle = TrialRunner.obstacle(to: trial) {
      say("\(build.name) \(trial.name) at \(trial.place): not tried, \(obstacle)")
      continue
    }
    let result = try runner.run(trial)
    table.add(result, build: build.name)
    let verdict = result.failures.isEmpty ? "ok" : result.failures.joined(separator: "; ")
    say("\(build.name) \(trial.name) at \(trial.place): \(result.status), \(verdict)")
    if isVerbose || !result.failures.isEmpty { say(result.summary, to: .standardError) }
  }
  runner.finish()
}
say("\(table.count) trials, \(table.wrong) wrong")
if let tablePath, ways.isEmpty {
  try table.text.write(toFile: tablePath, atomically: false, encoding: .utf8)
}
exit(table.wrong == 0 ? 0 : 1)
