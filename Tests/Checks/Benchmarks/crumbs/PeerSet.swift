import BenchmarkHarness
import CLttng
import CPeers
import CSpdlog
import Foundation

/// The peers, ready to be measured, and the directory of all their files.
struct PeerSet {
  let directory: String
  let floor: Contender
  private let write2: Contender
  private let stdio: Contender
  private let json: FileHandle
  private let ring = LockedRing()
  nonisolated(unsafe) private let spdlog: UnsafeMutableRawPointer
  nonisolated(unsafe) private let spdlogAsync: UnsafeMutableRawPointer

  /// Opens all files in `directory`, so that they are on one file system.
  init(in directory: String, threads: Int) throws {
    func file(_ name: String) -> String { "\(directory)/\(name)" }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let lines = open(file("lines"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard lines >= 0, FileManager.default.createFile(atPath: file("json"), contents: nil),
      let region = bench_map(file("floor"), threads * Floor.bytesPerThread),
      let buffered = bench_stdio_open(file("stdio")),
      let json = FileHandle(forWritingAtPath: file("json")),
      let spdlog = bench_spdlog_open(file("spdlog"), false),
      let spdlogAsync = bench_spdlog_open(file("spdlog-async"), true)
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: directory]) }
    self.directory = directory
    self.json = json
    self.spdlog = spdlog
    self.spdlogAsync = spdlogAsync
    nonisolated(unsafe) let base = region
    nonisolated(unsafe) let stream = buffered
    floor = Contender("floor") { Floor(region: base + $0 * Floor.bytesPerThread) }
    write2 = Contender("write(2)") { _ in WriteLine(file: lines) }
    stdio = Contender("stdio") { _ in StdioLine(file: stream) }
  }

  /// The peers of a crumb with only a message.
  func forMessages(threads: Int) -> [Contender] {
    [floor, write2, stdio] + loggers(withValues: false, threads: threads)
  }

  /// The peers of a crumb with three keys and values.
  func forValues(threads: Int) -> [Contender] { loggers(withValues: true, threads: threads) }

  private func loggers(withValues: Bool, threads: Int) -> [Contender] {
    let (json, ring) = (json, ring)
    let sync = SpdlogMessage(logger: spdlog, withValues: withValues)
    let async = SpdlogMessage(logger: spdlogAsync, withValues: withValues)
    var loggers = [
      Contender("JSON line") { _ in JSONLine(file: json, withValues: withValues) },
      Contender("locked ring") { _ in RingEntry(ring: ring, withValues: withValues) },
      Contender("spdlog") { _ in sync },
    ]
    // Several threads fill its queue and then wait for each other, which takes longer than all other contenders together.
    if threads == 1 { loggers.append(Contender("spdlog async") { _ in async }) }
    if bench_lttng_is_recording() {
      loggers.append(Contender("LTTng-UST") { _ in LttngEvent(withValues: withValues) })
    }
    return loggers
  }

  /// Removes all files.
  func remove() throws {
    bench_spdlog_close(spdlogAsync)
    bench_spdlog_close(spdlog)
    try FileManager.default.removeItem(atPath: directory)
  }
}
