import Foundation
import LoopbackHTTP
import Synchronization
import Testing

/// The programs without a framework, run as their users run them.
@Suite struct HostsTests {
  private let directory = FileManager.default.temporaryDirectory.appending(
    path: "hosts-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// A running program of this package.
  private struct Host {
    let process = Process()
    let output = Pipe()
    let errors: URL

    init(
      _ name: String, _ arguments: [String], _ environment: [String: String] = [:],
      in directory: URL
    ) throws {
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      process.executableURL = URL(fileURLWithPath: own).deletingLastPathComponent().appending(
        path: name)
      process.arguments = arguments
      let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.environment = all.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      process.standardOutput = output
      errors = directory.appending(path: "\(UUID().uuidString).errors")
      _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
    }

    func wait() throws -> String {
      process.waitUntilExit()
      return try String(contentsOf: errors, encoding: .utf8)
    }

    func line() -> String {
      var line: [UInt8] = []
      while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
        line.append(byte)
      }
      return String(decoding: line, as: UTF8.self)
    }
  }

  @Test(arguments: [false, true]) func theDaemonCountsLinesWhereTheyBelong(hasBug: Bool) throws {
    let log = directory.appending(path: "daemon.log").path
    let daemon = try Host("dispatch-daemon", [log] + (hasBug ? ["--bug"] : []), in: directory)
    let port = try #require(UInt16(daemon.line().dropFirst("port ".count)))
    let client = try Client(port)
    #expect(try client.answer(to: "a\nb\nc\n") == "3\n")
    #expect(try client.answer(to: "d\n") == "4\n")
    daemon.process.terminate()
    let errors = try daemon.wait()
    #expect(daemon.process.terminationStatus == 0 && daemon.process.terminationReason == .exit)
    #expect(errors.contains("com.example.counts") == hasBug, "\(errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: log))
    #expect(bytes.firstRange(of: Data("client".utf8)) != nil)
  }

  @Test func theFunctionReportsItsDeathAtTheNextStart() throws {
    let events = Mutex(["2.5", "heavy"])
    let answers = Mutex<[String]>([])
    let service = try LoopbackServer { request in
      guard request.path.hasSuffix("/next") else {
        answers.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
        return .status(202)
      }
      guard let event = events.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
        return .hangUp
      }
      var response = HTTPResponse.text(event)
      response.headers["Lambda-Runtime-Aws-Request-Id"] = "id-of-\(event)"
      return response
    }
    defer { service.stop() }
    let log = directory.appending(path: "function.log").path
    let environment = [
      "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:\(service.url.port ?? 0)", "MAINSTAY_LOG": log,
    ]
    let first = try Host("lambda-function", [], environment, in: directory)
    #expect(try first.wait().contains("main.swift"))
    #expect(first.process.terminationReason == .uncaughtSignal)
    #expect(answers.withLock { $0 } == ["3.5"])
    let second = try Host("lambda-function", [], environment, in: directory)
    let errors = try second.wait()
    #expect(second.process.terminationStatus == 0)
    #expect(errors.contains(#""schema":"crashscan-death/1""#), "\(errors)")
    #expect(errors.contains("unwrapped-nil") && errors.contains("id-of-heavy"), "\(errors)")
  }

  /// A connection to the daemon.
  private struct Client {
    private let file: FileHandle

    init(_ port: UInt16) throws {
      let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, size) }
      }
      try #require(result == 0)
      file = FileHandle(fileDescriptor: connection, closeOnDealloc: true)
    }

    func answer(to text: String) throws -> String {
      try file.write(contentsOf: Data(text.utf8))
      return String(decoding: file.availableData, as: UTF8.self)
    }
  }
}
