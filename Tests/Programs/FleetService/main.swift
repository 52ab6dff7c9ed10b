// A service of which a fleet runs several releases, each with faults of its own.
//
// fleet-service LOG RELEASE RUN KIBIBYTES

import Breadcrumbs
import CrashCapture
import Dispatch
import Glibc

let arguments = CommandLine.arguments
guard arguments.count == 5, let run = Int(arguments[3]), let size = Int(arguments[4]) else {
  print("usage: fleet-service LOG RELEASE RUN KIBIBYTES")
  exit(64)
}
let recorder = try BreadcrumbRecorder(
  path: arguments[1], capacity: size << 10, release: arguments[2])
CrashHandler.install(recordingTo: recorder)
recorder.recordLifecycle(.didBecomeActive)
DispatchQueue.main.async { Shop(release: arguments[2], recorder, kibibytes: size).serve(run) }
dispatchMain()
