import BlockingCalls
import Breadcrumbs
import CrashCapture
import Glibc
import KioskService

// kiosk-watched LOG watches|blocking|all|nothing: the kiosk with what looks after it linked in.
guard CommandLine.arguments.count == 3 else {
  print("usage: kiosk-watched LOG watches|blocking|all|nothing")
  exit(64)
}
let what = CommandLine.arguments[2]
let recorder = try BreadcrumbRecorder(path: CommandLine.arguments[1])
let watches = ["watches", "all"].contains(what)
CrashHandler.install(
  recordingTo: recorder,
  options: watches
    ? CrashOptions() : CrashOptions(hangThreshold: nil, poolThreshold: nil, loopThreshold: nil))
if ["blocking", "all"].contains(what) { try BlockingCalls.report(to: recorder) }
try await Kiosk.serve(at: 0)
