// Kills recording processes and counts what is missing from their logs.
//
//   torture run KILLS [--verbose]   the whole test; its last line is the verdict
//   torture write PATH CAPACITY FD LIMIT   one writer, which `run` starts and kills

import Glibc

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "write" where arguments.count == 6:
  Writer.run(
    path: arguments[2], capacity: Int(arguments[3]) ?? 0,
    acknowledgements: Int32(arguments[4]) ?? -1, limit: UInt64(arguments[5]) ?? 0)
case "run" where arguments.count >= 3:
  var template = Array("/tmp/mainstay-torture-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil, let kills = Int(arguments[2]) else { exit(64) }
  let directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  let killer = Killer(directory: directory, program: "/proc/self/exe")
  let verdict = killer.run(kills: kills, isVerbose: arguments.contains("--verbose"))
  unlink("\(directory)/breadcrumbs.log")
  rmdir(directory)
  print(verdict.line)
  exit(verdict.isGood ? 0 : 1)
default:
  print("usage: torture run KILLS [--verbose]")
  exit(64)
}
