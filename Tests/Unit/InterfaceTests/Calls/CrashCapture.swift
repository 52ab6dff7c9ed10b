// Every public function of CrashCapture that takes a text, a value or a number; see Breadcrumbs.swift.
import Breadcrumbs
import CrashCapture

let item = "bolts", part = item.dropFirst(), byte: UInt8 = 1, long: Int64 = 2
let maybe: Duration? = nil

func install(_ recorder: BreadcrumbRecorder) {
  CrashHandler.install(recordingTo: recorder)
  var options = CrashOptions(
    otherThreadsTimeLimit: .seconds(byte), hangThreshold: .milliseconds(long))
  options = CrashOptions(
    otherThreadsTimeLimit: .seconds(0.5), capturesSIGQUIT: true, hangThreshold: maybe)
  options.hangThreshold = nil
  CrashHandler.install(recordingTo: recorder, options: options)
  CrashHandler.installAlternateStack()
  CrashHandler.uninstall()
  // expected-error@+3 {{value of optional type 'Duration?' must be unwrapped}}
  // expected-note@+2 {{coalesce}}
  // expected-note@+1 {{force-unwrap}}
  _ = CrashOptions(otherThreadsTimeLimit: maybe)
}

func previous() -> Int32? {
  guard let run = PreviousRun(path: "\(item)/\(part).log") else { return nil }
  if case .crash(let signal) = run.ending { return signal }
  return run.process
}
