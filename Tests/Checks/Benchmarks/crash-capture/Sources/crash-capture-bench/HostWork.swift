import Breadcrumbs
import CHostWork
import CrashCapture
import Foundation

/// Prints the cost of crash capture for a host that does not crash.
func showHostWork() throws {
  let rounds = rounds(15)
  let log = FileManager.default.temporaryDirectory.appendingPathComponent("host-bench.log").path
  defer { unlink(log) }
  install_recovering_handler()
  let recorder = try BreadcrumbRecorder(path: log, keepingLast: 0, automatic: [])
  defer { recorder.close() }
  let options = CrashOptions(hangThreshold: nil)
  var ours: [Double] = []
  var bare: [Double] = []
  for _ in 0..<rounds {
    bare.append(recover_from_faults(20_000))
    CrashHandler.install(recordingTo: recorder, options: options)
    ours.append(recover_from_faults(20_000))
    CrashHandler.uninstall()
  }
  try show(
    Row(
      name: "a fault that the host recovers from", ours: ours, peer: bare, peerName: "no handler"))
  ours = []
  bare = []
  for _ in 0..<rounds {
    bare.append(begin_threads(1000, 1))
    ours.append(begin_threads(1000, 0))
  }
  try show(
    Row(name: "a thread that begins and ends", ours: ours, peer: bare, peerName: "C library"))
}
