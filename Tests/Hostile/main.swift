// Hands crashscan logs that somebody has tampered with, in every form of output.
//
//   hostile run COUNT CRASHSCAN SCRATCH LOG…         COUNT inputs, mutated from the logs
//   hostile grow CRASHSCAN SCRATCH [ATTACK…]         logs made up to cost the most, in two sizes
//   hostile write ATTACK BYTES FILE                  one such log
//   hostile worker JOB JOBS COUNT CRASHSCAN SCRATCH LOG… -- PART…   what `run` starts

import Glibc
import HostileLogs

Trial.limitMemory()
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "run" where arguments.count > 4:
  guard let count = Int(arguments[1]) else { exit(64) }
  let campaign = Campaign(
    crashscan: arguments[2], scratch: arguments[3], logs: Array(arguments[4...]))
  exit(campaign.run(count: count) ? 0 : 1)
case "worker" where arguments.count > 7:
  guard let job = Int(arguments[1]), let jobs = Int(arguments[2]), let count = Int(arguments[3]),
    let end = arguments.firstIndex(of: "--")
  else { exit(64) }
  var worker = Worker(
    crashscan: arguments[4], scratch: "\(arguments[5])/job-\(job)", found: arguments[5] + "/found",
    logs: Array(arguments[6..<end]), parts: Array(arguments[(end + 1)...]))
  worker.run(stride(from: job, to: count, by: jobs))
  print(worker.tally.lines)
case "grow" where arguments.count > 2:
  let named = arguments.dropFirst(3).compactMap { Attack(rawValue: $0) }
  let scaling = Scaling(
    crashscan: arguments[1], scratch: arguments[2],
    attacks: arguments.count > 3 ? named : Attack.allCases)
  exit(scaling.run() ? 0 : 1)
case "write" where arguments.count == 4:
  guard let attack = Attack(rawValue: arguments[1]), let size = Int(arguments[2]) else { exit(64) }
  Files.write(attack.log(size: size), to: arguments[3])
default:
  print("usage: hostile run COUNT CRASHSCAN SCRATCH LOG… | grow CRASHSCAN SCRATCH [ATTACK…]")
  print("       hostile write ATTACK BYTES FILE, where ATTACK is one of")
  for attack in Attack.allCases { print("         \(attack.rawValue)") }
  exit(64)
}
