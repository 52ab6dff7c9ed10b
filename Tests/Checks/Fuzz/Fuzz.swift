import CrashAnalysis
import ReportReading
import Glibc

/// Which reader is fed; without the variable the content chooses.
private let format = getenv("FUZZ_READER").flatMap { ForeignFormat(rawValue: String(cString: $0)) }

/// The bytes in a file that only this process knows.
private let file: CInt = {
  var template = Array("/dev/shm/report-XXXXXX".utf8CString)
  let file = mkstemp(&template)
  unlink(template)
  return file
}()

/// Reads the bytes as a report and judges it: nothing may crash, hang or grow.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  ftruncate(file, 0)
  guard pwrite(file, bytes, size, 0) == size else { return -1 }
  do {
    let report = try ReportFile(path: "/proc/self/fd/\(file)", name: "fuzz", format: format)
    try report.forEach { source in _ = try Analyzer().analyze(source, input: "fuzz") }
  } catch {
    // A clear error is an answer.
  }
  return 0
}
