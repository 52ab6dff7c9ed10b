import Breadcrumbs
import CrashscanLogs
import Logging
import MainstaySwiftLog
import Testing

@Suite struct CrumbLogHandlerTests {
  private let log = TemporaryLog()
  private let recorder: BreadcrumbRecorder

  init() throws { recorder = try log.open() }

  private func logger(
    _ level: Logger.Level = .info, _ provider: Logger.MetadataProvider? = nil
  ) -> Logger {
    Logger(label: "shop.orders") { [recorder] label in
      CrumbLogHandler(
        label: label, recorder: recorder, logLevel: level, metadataProvider: provider)
    }
  }

  @Test func aLineIsACrumbWithItsLevelLabelMetadataAndPlace() throws {
    var logger = logger(.debug, Logger.MetadataProvider { ["trace": "t-1", "order": "provided"] })
    logger[metadataKey: "service"] = "orders"
    logger[metadataKey: "trace"] = "the logger's"
    let place = "SwiftLogTests/CrumbLogHandlerTests.swift:\(#line + 1)"
    logger.info("order taken", metadata: ["order": "42", "items": ["a", "b"]])
    let line = try #require(try log.crumbs().first)
    #expect(line.message == "order taken" && line.category == "shop.orders")
    #expect(line.level == "info" && line.stack == nil)
    #expect(line.text("order") == "42")  // the line's own before the provider's
    #expect(line.text("trace") == "t-1")  // and that before the logger's
    #expect(line.text("service") == "orders")
    #expect(line.text("items") == #"["a", "b"]"#)
    #expect(line.text("at") == place)
  }

  @Test func whatALoggerHasIsReadAndChangedAsOfAnyOther() throws {
    var ours = logger()
    var other = Logger(label: "other") { StreamLogHandler.standardError(label: $0) }
    let steps: [(key: String, value: Logger.MetadataValue?)] = [
      ("id", nil), ("id", "1"), ("id", "2"), ("user", nil), ("user", "ann"), ("id", nil),
      ("user", nil), ("id", "3"),
    ]
    for (key, value) in steps {
      ours[metadataKey: key] = value
      other[metadataKey: key] = value
      #expect(ours.handler.metadata == other.handler.metadata)
      #expect(ours[metadataKey: "id"] == other[metadataKey: "id"])
      #expect(ours[metadataKey: "user"] == other[metadataKey: "user"])
    }
    let before = ours
    ours[metadataKey: "id"] = "4"
    #expect(before[metadataKey: "id"] == "3", "a copy keeps its own")
    before.info("one value")
    ours.handler.metadata = ["a": "1", "b": "2"]
    #expect(ours[metadataKey: "b"] == "2" && ours[metadataKey: "id"] == nil)
    ours.info("two")
    let lines = try log.crumbs()
    #expect(lines.map { $0.text("id") } == ["3", nil])
    #expect(lines.map { $0.text("b") } == [nil, "2"])
  }

  @Test func levelsAreThoseOfCrumbsAndErrorsHaveAStack() throws {
    let logger = logger(.trace)
    for level in Logger.Level.allCases { logger.log(level: level, "at \(level)") }
    let lines = try log.crumbs()
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
    #expect(try log.crumbs().map(\.message) == ["made"])
  }

  @Test func onlyMetadataOfKeysThatWereNamedAreWritten() throws {
    var logger = Logger(label: "keys") { [recorder] label in
      CrumbLogHandler(label: label, recorder: recorder, metadataKeys: ["order"])
    }
    logger[metadataKey: "user"] = "s3cret"
    logger.info("paid", metadata: ["order": "42", "card": "s3cret"])
    let line = try #require(try log.crumbs().first)
    #expect(line.text("order") == "42" && line.text("user") == nil)
    #expect(try !log.contains("s3cret"))
  }

  @Test func itStandsBesideAnotherHandlerAndBelowWhatAllCrumbsHave() throws {
    let other = Counting()
    let logger = Logger(label: "both") { [recorder] label in
      MultiplexLogHandler([CrumbLogHandler(label: label, recorder: recorder), other])
    }
    withCrumbs(["request": "r-7"]) { logger.notice("here") }
    #expect(other.count == 1)
    #expect(try log.crumbs().map { $0.text("request") } == ["r-7"])
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
