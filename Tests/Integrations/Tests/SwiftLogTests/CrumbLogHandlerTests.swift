import Breadcrumbs
import Foundation
import Logging
import MainstaySwiftLog
import Testing

/// What `crashscan show` tells of a log.
private struct Told: Decodable { let crumbs: [Line] }

/// What it tells of a line that was logged.
private struct Line: Decodable {
  struct Datum: Decodable {
    let key: String
    let value: Value
  }
  enum Value: Decodable, Equatable {
    case text(String), other

    init(from decoder: any Decoder) throws {
      let text = try? decoder.singleValueContainer().decode(String.self)
      self = text.map(Value.text) ?? .other
    }
  }
  struct Stack: Decodable { let frames: [Frame] }
  struct Frame: Decodable {}
  let category: String
  let level: String
  let message: String
  let data: [Datum]
  let stack: Stack?

  func text(_ key: String) -> String? {
    guard case .text(let text)? = data.first(where: { $0.key == key })?.value else { return nil }
    return text
  }
}

@Suite struct CrumbLogHandlerTests {
  private let log = FileManager.default.temporaryDirectory
    .appendingPathComponent("\(UUID()).log").path
  private let recorder: BreadcrumbRecorder

  init() throws {
    recorder = try BreadcrumbRecorder(path: log, capacity: 1 << 20, automatic: [])
  }

  private func logger(
    _ level: Logger.Level = .info, _ provider: Logger.MetadataProvider? = nil
  ) -> Logger {
    Logger(label: "shop.orders") { [recorder] label in
      CrumbLogHandler(
        label: label, recorder: recorder, logLevel: level, metadataProvider: provider)
    }
  }

  private func lines() throws -> [Line] {
    let tool = Process()
    // It is built beside these tests.
    tool.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("crashscan")
    tool.arguments = ["show", log, "--format", "json"]
    let output = Pipe()
    tool.standardOutput = output
    try tool.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    tool.waitUntilExit()
    try FileManager.default.removeItem(atPath: log)
    return try JSONDecoder().decode(Told.self, from: bytes).crumbs
  }

  @Test func aLineIsACrumbWithItsLevelLabelMetadataAndPlace() throws {
    var logger = logger(.debug, Logger.MetadataProvider { ["trace": "t-1", "order": "provided"] })
    logger[metadataKey: "service"] = "orders"
    logger[metadataKey: "trace"] = "the logger's"
    logger.info("order taken", metadata: ["order": "42", "items": ["a", "b"]])
    let line = try #require(try lines().first)
    #expect(line.message == "order taken" && line.category == "shop.orders")
    #expect(line.level == "info" && line.stack == nil)
    #expect(line.text("order") == "42")  // the line's own before the provider's
    #expect(line.text("trace") == "t-1")  // and that before the logger's
    #expect(line.text("service") == "orders")
    #expect(line.text("items") == #"["a", "b"]"#)
    #expect(line.text("at")?.hasPrefix("SwiftLogTests/CrumbLogHandlerTests.swift:") == true)
  }

  @Test func levelsAreThoseOfCrumbsAndErrorsHaveAStack() throws {
    let logger = logger(.trace)
    for level in Logger.Level.allCases { logger.log(level: level, "at \(level)") }
    let lines = try lines()
    #expect(
      lines.map(\.level) == ["debug", "debug", "info", "notice", "warning", "error", "fatal"])
    #expect(lines.map { $0.stack != nil } == [false, false, false, false, false, true, true])
  }

  @Test func whatIsBelowTheLevelLeavesNothingAndIsNotMade() throws {
    let logger = logger(.warning)
    var made = 0
    func text() -> String {
      made += 1
      return "made"
    }
    logger.info("\(text())")
    logger.warning("\(text())")
    #expect(made == 1)
    #expect(try lines().map(\.message) == ["made"])
  }

  @Test func itStandsBesideAnotherHandlerAndBelowWhatAllCrumbsHave() throws {
    let other = Counting()
    let logger = Logger(label: "both") { [recorder] label in
      MultiplexLogHandler([CrumbLogHandler(label: label, recorder: recorder), other])
    }
    withCrumbs(["request": "r-7"]) { logger.notice("here") }
    #expect(other.count == 1)
    #expect(try lines().map { $0.text("request") } == ["r-7"])
  }
}

private final class Counting: LogHandler, @unchecked Sendable {
  var count = 0
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
  func log(event: LogEvent) { count += 1 }
}
