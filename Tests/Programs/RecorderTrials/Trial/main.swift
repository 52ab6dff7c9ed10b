// One process of one test: `recorder-trial NAME PATH [ARGUMENT…]`. Each trial says on standard output
// what a test is to know, a line each; what it recorded stands in the log at PATH.

import CTrials
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2, let trial = Trials.named[arguments[0]] else {
  print("usage: recorder-trial NAME PATH [ARGUMENT…]; NAME one of \(Trials.named.keys.sorted())")
  exit(64)
}
ms_trial_unbuffer()
trial(arguments[1], Array(arguments.dropFirst(2)))
