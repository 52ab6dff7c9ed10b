import CRecorder
import CWalkCheck
import Foundation

/// A check's name, by which it can be asked for alone (`walk-check rows twins`), and the check.
typealias Check = (name: String, passes: () async -> Bool)

let checks: [Check] = [
  ("table", { ms_check_table(20_000_000) }),
  ("subjects", checkSubjects),
  ("instructions", { ms_check_each_instruction() }),
  ("swift", { ms_check_each_instruction_of("Swift", runSteppedSwift) }),
  ("samples", { checkSamples(seconds: 10) }),
  ("stress", { ms_check_stress(10) }),
  ("twins", { ms_check_twins() }),
  ("garbage", { ms_check_garbage(2_000_000) }),
  ("rows", { ms_check_rows() }),
]

ms_walk_start()
print("engine: \(String(cString: ms_walk_engine_reason()))")
var failed = ms_walk_engine_in_use() == MS_WALK_RULES ? [] : ["engine"]
let wanted = CommandLine.arguments.dropFirst()
for check in checks where wanted.isEmpty || wanted.contains(check.name) {
  if await !check.passes() { failed.append(check.name) }
}
if !failed.isEmpty { print("FAILED: \(failed.joined(separator: ", "))") }
exit(failed.isEmpty ? 0 : 1)
