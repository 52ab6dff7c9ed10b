import Foundation
import FoundationNetworking
import CrashscanLogs

/// A program of the sample, as a process of its own.
final class RunningShop: @unchecked Sendable {
  let log: TemporaryLog
  private let process = Process()
  private let port: String

  /// Starts it and waits until it is open. It is built beside the tests.
  init(_ bug: String? = nil, log: TemporaryLog) throws {
    self.log = log
    let output = Pipe()
    try Self.start(process, "shop", [log.path, "0"], ["SHOP_BUG": bug], output)
    var said = Data()
    while !said.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      said += more
    }
    port =
      String(decoding: said, as: UTF8.self).split(whereSeparator: \.isWhitespace).last.map(
        String.init) ?? ""
  }

  /// Starts the least of all programs, at a port that is free.
  init(helloAt port: Int, log: TemporaryLog) throws {
    self.log = log
    self.port = "\(port)"
    try Self.start(process, "hello", [], ["PORT": "\(port)", "MAINSTAY_LOG": log.path], Pipe())
  }

  private static func start(
    _ process: Process, _ name: String, _ arguments: [String], _ more: [String: String?],
    _ output: Pipe
  ) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent(name)
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    for (key, value) in more { environment[key] = value }
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Sends a request; nil where none is answered.
  @discardableResult
  func send(_ method: String, _ path: String) async -> Int? {
    var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port)\(path)")!)
    request.httpMethod = method
    let answer = try? await URLSession.shared.data(for: request)
    return (answer?.1 as? HTTPURLResponse)?.statusCode
  }

  func kill(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

  var isRunning: Bool { process.isRunning }

  /// Waits until it has ended.
  func waitForEnd() { process.waitUntilExit() }
}
