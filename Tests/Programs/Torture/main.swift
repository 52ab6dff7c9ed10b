// Kills recording processes and counts what is missing from their logs.
//
//   torture run KILLS [--verbose]   the whole test; its last line is the verdict
//   torture live SECONDS           reads beside writers at full speed
//   torture damage STEP            flips every STEPth byte of a log, and cuts it at every STEPth length
//   torture write PATH CAPACITY FD LIMIT   one writer, which `run` starts and kills

import Glibc

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "write" where arguments.count == 6:
  Writer.run(
    path: arguments[2], capacity: Int(arguments[3]) ?? 0,
    acknowledgements: Int32(arguments[4]) ?? -1, limit: UInt64(arguments[5]) ?? 0)
case "run" where arguments.count >= 3:
  guard let kills = Int(arguments[2]) else { exit(64) }
  withDirectory { directory in
    let killer = Killer(directory: directory, program: "/proc/self/exe")
    let verdict = killer.run(kills: kills, isVerbose: arguments.contains("--verbose"))
    print(verdict.line)
    return verdict.isGood
  }
case "live" where arguments.count == 3:
  guard let seconds = Int(arguments[2]) else { exit(64) }
  withDirectory { directory in
    Live(killer: Killer(directory: directory, program: "/proc/self/exe")).run(seconds: seconds)
  }
case "damage" where arguments.count == 3:
  guard let step = Int(arguments[2]), step > 0 else { exit(64) }
  withDirectory { directory in
    guard let damage = try? Damage(directory: directory) else { return false }
    let found = damage.run(step: step)
    print(
      "bytes \(damage.bytes.count), flips \(found.flips), cuts \(found.cuts), "
        + "unreadable \(found.unreadable), invented \(found.invented), "
        + "missing unsaid \(found.missing)")
    return found.invented == 0 && found.missing == 0
  }
default:
  print("usage: torture run KILLS [--verbose] | torture live SECONDS | torture damage STEP")
  exit(64)
}

/// Runs a test in a directory of its own and ends the program: 0 if all is well.
func withDirectory(_ test: (String) -> Bool) -> Never {
  var template = Array("/tmp/mainstay-torture-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { exit(64) }
  let directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  let isGood = test(directory)
  unlink("\(directory)/breadcrumbs.log")
  rmdir(directory)
  exit(isGood ? 0 : 1)
}
