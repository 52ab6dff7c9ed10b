#if DEBUG
  import Hummingbird
  import Logging
  import Testing

  @testable import MainstayHummingbird

  /// What is read where Hummingbird and swift-log keep it, beside what they say when they are asked.
  @Suite struct ContextPlacesTests {
    private struct Given: RequestContextSource {
      let logger: Logger
    }

    private struct Plain: RequestContext {
      typealias Source = Given

      var coreContext: CoreRequestContextStorage

      init(source: Given) { coreContext = .init(source: source) }
    }

    private struct Computed: RequestContext {
      typealias Source = Given

      private var own: CoreRequestContextStorage

      init(source: Given) { own = .init(source: source) }

      var coreContext: CoreRequestContextStorage {
        get { own }
        set { own = newValue }
      }
    }

    private final class Shared: RequestContext {
      typealias Source = Given

      nonisolated(unsafe) var coreContext: CoreRequestContextStorage

      init(source: Given) { coreContext = .init(source: source) }
    }

    private static let key = RequestIDs.key

    private func logger(_ metadata: Logger.Metadata) -> Logger {
      var logger = Logger(label: "test") { StreamLogHandler.standardError(label: $0) }
      for (key, value) in metadata { logger[metadataKey: key] = value }
      return logger
    }

    private func glance(_ template: String?, _ logger: Logger) throws -> ContextGlance? {
      let context = Plain(source: Given(logger: logger))
      context.coreContext.endpointPath.value = template
      return try #require(ContextPlaces(of: Plain.self)).glance(at: context)
    }

    @Test(arguments: ["/", "/stock/{item}", "/a/way/that/is/longer/than/a/short/text/{item}"])
    func theRouteIsReadWhereItLies(template: String) throws {
      let found = try glance(template, logger([Self.key: .stringConvertible(RequestID())]))
      #expect(found?.template == TextInMemory(template))
    }

    @Test(arguments: [0, 1, 2, 3, 5, 9, 17, 40])
    func theIDIsReadAmongOtherValues(others: Int) throws {
      let id = RequestID()
      var all: Logger.Metadata = [Self.key: .stringConvertible(id)]
      for other in 0..<others { all["\(other)"] = .stringConvertible(RequestID()) }
      let number = try #require(try glance("/", logger(all))?.id)
      let digits = withUnsafeBytes(of: RequestIDs.text(of: number)) { Array($0) }
      #expect(id.description.utf8.suffix(digits.count).elementsEqual(digits))
    }

    @Test func whatIsNotThereIsAskedForOrNotGuessed() throws {
      let id = Logger.MetadataValue.stringConvertible(RequestID())
      #expect(try glance(nil, logger([Self.key: id])) == nil, "no route")
      #expect(try glance("/", logger([:])) == nil, "no values")
      #expect(try glance("/", logger(["other": id])) == nil, "no id")
      for other: Logger.MetadataValue in [
        "text", .stringConvertible(7), .array([id]), .dictionary([Self.key: id]),
        .stringConvertible("a text that is longer than a short one"),
      ] {
        var changed = logger([Self.key: id])
        changed[metadataKey: Self.key] = other
        #expect(try glance("/", changed) == nil, "\(other)")
      }
      var many: Logger.Metadata = [Self.key: id]
      for other in 0..<100 { many["\(other)"] = "" }
      let asked = try [
        // More than one word says where they are.
        logger(many),
        Logger(label: "test") {
          var handler = MultiplexLogHandler([StreamLogHandler.standardError(label: $0)])
          handler[metadataKey: Self.key] = id
          return handler
        },
      ].map { try glance("/", $0)?.id }
      #expect(asked == [RequestIDs.number(id), RequestIDs.number(id)])
      #expect(try glance("/", Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) == nil)
      #expect(ContextPlaces(of: Computed.self) == nil)
      #expect(ContextPlaces(of: Shared.self) == nil)
    }
  }
#endif
