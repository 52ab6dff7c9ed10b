import CLogFormat
import Glibc
import IncidentModel

extension LogReader {
  /// Returns the module with the path of the copy that a run kept beside this log, if the copy exists. The
  /// symbolicator compares its build id.
  func withKeptCopy(_ seen: SeenModule) -> SeenModule {
    guard !seen.module.buildID.isEmpty else { return seen }
    let folder = bytes.path.lastIndex(of: "/").map { bytes.path[...$0] } ?? ""
    let id = seen.module.buildID.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    let copy = "\(folder)\(seen.module.name)\(MS_BUILDS_SUFFIX)/\(id)"
    var located = seen
    if access(copy, F_OK) == 0 { located.module.keptCopy = copy }
    return located
  }
}
