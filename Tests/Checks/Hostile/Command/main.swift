// Hands crashscan logs that somebody has tampered with, in every form of output.
//
//   hostile run INPUTS CRASHSCAN SCRATCH LOG…        so many inputs, mutated from the logs; or some of
//                                                    them, such as 417-418
//   hostile grow KIB CRASHSCAN SCRATCH [ATTACK…]     logs and consoles made up to cost the most, of so many KiB
//                                                    and of four times as many
//   hostile write ATTACK BYTES FILE                  one such log
//   hostile worker JOB JOBS INPUTS CRASHSCAN SCRATCH LOG… -- PART…   what `run` starts
//   hostile inside JOB INPUTS CRASHSCAN SCRATCH LOG… -- PART…        what `worker` starts

import Glibc
import HostileLogs

Trial.limitMemory()
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "run" where arguments.count > 4:
  guard let numbers = inputNumbers(arguments[1]) else { exit(64) }
  let campaign = Campaign(
    crashscan: arguments[2], scratch: arguments[3], logs: Array(arguments[4...]))
  exit(campaign.run(numbers) ? 0 : 1)
case "worker" where arguments.count > 6:
  guard let job = Int(arguments[1]), let jobs = Int(arguments[2]),
    let numbers = inputNumbers(arguments[3]), let setting = Worker.Setting(arguments[4...])
  else { exit(64) }
  var worker = Worker(setting, job: job)
  worker.run(numbers, of: jobs)
  print(worker.tally.lines)
case "inside" where arguments.count > 5:
  guard let job = Int(arguments[1]), let numbers = inputNumbers(arguments[2]),
    let setting = Worker.Setting(arguments[3...])
  else { exit(64) }
  var batch = Batch(setting, job: job)
  batch.run(numbers)
  print(batch.tally.lines)
case "grow" where arguments.count > 3:
  guard let smallest = Int(arguments[1]), smallest > 0 else { exit(64) }
  let names = arguments.dropFirst(4)
  let scaling = Scaling(
    crashscan: arguments[2], scratch: arguments[3],
    inputs: Scaling.Input.all.filter { names.isEmpty || names.contains($0.name) },
    smallest: smallest)
  exit(scaling.run() ? 0 : 1)
case "write" where arguments.count == 4:
  guard let input = Scaling.Input.all.first(where: { $0.name == arguments[1] }),
    let size = Int(arguments[2])
  else { exit(64) }
  Files.write(input.bytes(size), to: arguments[3])
default:
  print("usage: hostile run INPUTS CRASHSCAN SCRATCH LOG… | grow KIB CRASHSCAN SCRATCH [ATTACK…]")
  print("       hostile write ATTACK BYTES FILE, where ATTACK is one of")
  for input in Scaling.Input.all { print("         \(input.name)") }
  exit(64)
}

/// `10000` are the first so many, `417-418` is the one numbered 417.
func inputNumbers(_ text: String) -> Range<Int>? {
  let ends = text.split(separator: "-").map { Int($0) }
  switch (ends.first ?? nil, ends.count) {
  case (let count?, 1) where count >= 0: return 0..<count
  case (let first?, 2): return ends[1].flatMap { $0 >= first ? first..<$0 : nil }
  default: return nil
  }
}
