// Lets victims die in every way, checks what they left, and prints the table.
//
// victims debug|release VICTIM [--table FILE] [WAY…]

import Foundation
import VictimTrials

var arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
  print("usage: victims debug|release VICTIM [--verbose] [WAY…]")
  exit(64)
}
let configuration = arguments.removeFirst()
var runner = try TrialRunner(executable: arguments.removeFirst(), isDebug: configuration == "debug")
let isVerbose = arguments.first == "--verbose"
if isVerbose { arguments.removeFirst() }
let chosen = Trial.all.filter { arguments.isEmpty || arguments.contains($0.way) }
var wrong = 0

/// Says it at once, also into a file.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

for trial in chosen {
  let result = try runner.run(trial)
  if !result.failures.isEmpty { wrong += 1 }
  let verdict = result.failures.isEmpty ? "as it must be" : result.failures.joined(separator: "; ")
  say(
    "| \(trial.name) | \(trial.place) | \(configuration) | \(result.status)"
      + " | \(result.framesWalked) | \(verdict) |")
  if isVerbose || !result.failures.isEmpty { FileHandle.standardError.write(Data((result.summary + "\n").utf8)) }
}
runner.finish()
print("\(chosen.count) trials, \(wrong) wrong")
exit(wrong == 0 ? 0 : 1)
