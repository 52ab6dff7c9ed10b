import Breadcrumbs
import CrashCapture
import Hummingbird
import CrashscanLogs
import Logging
import MainstayHummingbird
import Synchronization
import Testing

@Suite struct CrumbMiddlewareTests {
  private let log = TemporaryLog()

  private struct Refusal: Error {}

  private func router(_ recorder: BreadcrumbRecorder) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(
      middleware: CrumbMiddleware(
        recorder: recorder, headers: ["User-Agent", "authorization"]
      ) { name, value in name == "authorization" ? nil : value })
    router.get("stock/:item") { _, context in
      recorder.record("looked up", category: "stock")
      return try context.parameters.require("item")
    }
    router.get("refused") { _, _ -> String in throw HTTPError(.forbidden) }
    router.get("broken") { _, _ -> String in throw Refusal() }
    return router
  }

  @Test func aRequestHasACrumbAtEachEndAndItsRouteOnAllBetween() async throws {
    let recorder = try log.open()
    try await whileOpen(router(recorder)) { visitor in
      let answer = try await visitor.get(
        "/stock/hammer?token=s3cret", ["User-Agent": "tests", "Authorization": "s3cret"])
      #expect(answer.body == "hammer")
    }
    recorder.close()
    // What others of this process hop meanwhile is in the log too.
    let crumbs = try log.crumbs().filter { ["request", "stock"].contains($0.category) }
    #expect(crumbs.map(\.message) == ["request begins", "looked up", "request ends"])
    #expect(crumbs.allSatisfy { $0.text("request") == "GET /stock/:item" })
    #expect(Set(crumbs.map { $0.text("requestID") }).count == 1)
    #expect(crumbs[0].text("user-agent") == "tests")
    #expect(crumbs[2].number("status") == 200)
    #expect((crumbs[2].number("nanoseconds") ?? 0) > 0)
    // Neither the path, nor a header that was not let through.
    #expect(try !log.contains("hammer") && !log.contains("s3cret"))
  }

  @Test("The watch lists what waits while a request lasts, and only then")
  func lastingRequest() async throws {
    let recorder = try log.open()
    var options = CrashOptions()
    options.requestThreshold = .milliseconds(500)
    CrashHandler.install(recordingTo: recorder, options: options)
    defer { CrashHandler.uninstall() }
    let log = log
    @Sendable func lists() throws -> Int {
      try log.crumbs().count { $0.message == "tasks wait" && $0.text("during") == "request" }
    }
    let router = Router()
    router.add(middleware: CrumbMiddleware(recorder: recorder))
    router.get("quick") { _, _ in "here" }
    router.get("slow") { _, _ in
      let end = ContinuousClock.now + .seconds(60)
      while try lists() == 0, ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(50))
      }
      return "listed"
    }
    try await whileOpen(router) { visitor in
      for _ in 0..<20 { _ = try await visitor.get("/quick") }
      #expect(try lists() == 0)
      let answer = try await visitor.get("/slow")
      #expect(answer.body == "listed")
    }
    recorder.close()
    #expect(try lists() > 0)
  }

  @Test func aLoggerThatKeepsNoMetadataDoesNoHarm() async throws {
    let recorder = try log.open()
    let router = Router()
    router.add(middleware: CrumbMiddleware(recorder: recorder))
    router.get("hello") { _, _ in "hello" }
    let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
    try await whileOpen(router, logger: quiet) { visitor in
      for _ in 0..<2 {
        let answer = try await visitor.get("/hello")
        #expect(answer.status == 200)
      }
    }
    recorder.close()
    let ids = try log.crumbs().filter { $0.message == "request begins" }.map {
      $0.text("requestID")
    }
    #expect(ids.count == 2 && Set(ids).count == 2 && !ids.contains(nil))
  }

  @Test func whatIsThrownHasItsStatusAndNoText() async throws {
    let recorder = try log.open()
    try await whileOpen(router(recorder)) { visitor in
      for (path, status) in [("/refused", 403), ("/broken", 500), ("/nowhere", 404)] {
        let answer = try await visitor.get(path)
        #expect(answer.status == status)
      }
    }
    recorder.close()
    let ends = try log.crumbs().filter { $0.message == "request ends" }
    #expect(ends.map { $0.number("status") } == [403, 500, 404])
    #expect(ends.map { $0.text("error") } == [nil, "Refusal", nil])
    #expect(ends.last?.text("request") == "GET (no route)")
  }

  @Test(arguments: [900, 950, 1_000, 1_020])
  func anEndHasItsStatusHoweverLongItsRouteIs(size: Int) async throws {
    let recorder = try log.open()
    let router = Router()
    router.add(middleware: CrumbMiddleware(recorder: recorder))
    let path = "/" + String(repeating: "a", count: size)
    router.get("\(path)") { _, _ in "here" }
    try await whileOpen(router) { visitor in _ = try await visitor.get(path) }
    recorder.close()
    let end = try #require(try log.crumbs().first { $0.message == "request ends" })
    #expect(end.number("status") == 200)
    #expect((end.number("nanoseconds") ?? 0) > 0)
  }

  /// One that stores what every context has where others have something else.
  private struct Late: RequestContext {
    var user: String?
    var coreContext: CoreRequestContextStorage

    init(source: Source) { coreContext = .init(source: source) }
  }

  /// One that has two, and says which only when it is asked.
  private struct Computed: RequestContext {
    private var other: CoreRequestContextStorage
    private var own: CoreRequestContextStorage

    init(source: Source) {
      other = .init(source: source)
      own = .init(source: source)
    }

    var coreContext: CoreRequestContextStorage {
      get { own }
      set { own = newValue }
    }
  }

  /// One that everybody has the same of.
  private final class Shared: RequestContext {
    // As a request has it: one after another.
    nonisolated(unsafe) var coreContext: CoreRequestContextStorage

    init(source: Source) { coreContext = .init(source: source) }
  }

  @Test func everyKindOfContextGivesItsRouteAndItsID() async throws {
    try await contextsGiveTheirRouteAndTheirID(BasicRequestContext.self)
    try await contextsGiveTheirRouteAndTheirID(Late.self)
    try await contextsGiveTheirRouteAndTheirID(Computed.self)
    try await contextsGiveTheirRouteAndTheirID(Shared.self)
  }

  private func contextsGiveTheirRouteAndTheirID<Context: RequestContext>(
    _: Context.Type
  ) async throws where Context.Source == ApplicationRequestContextSource {
    let log = TemporaryLog()
    let recorder = try log.open()
    let router = Router(context: Context.self)
    router.add(middleware: CrumbMiddleware(recorder: recorder))
    router.get("id/of/:user") { _, context in context.id }
    let ids = Mutex<[String]>([])
    try await whileOpen(router) { visitor in
      for _ in 0..<2 {
        let answer = try await visitor.get("/id/of/me")
        ids.withLock { $0.append(answer.body) }
      }
    }
    recorder.close()
    let begun = try log.crumbs().filter { $0.message == "request begins" }
    #expect(begun.map { $0.text("request") } == ["GET /id/of/:user", "GET /id/of/:user"])
    #expect(begun.map { $0.text("requestID") } == ids.withLock { $0 })
  }

  @Test func eachRouteAndMethodHasItsOwnNameHoweverOftenItIsAskedFor() async throws {
    let recorder = try log.open()
    let router = Router()
    router.add(middleware: CrumbMiddleware(recorder: recorder))
    for route in ["a", "a/{b}", "a/{b}/of/a/longer/way/than/fits/into/a/string/itself"] {
      router.get("\(route)") { _, _ in route }
      router.delete("\(route)") { _, _ in route }
    }
    let paths = ["/a", "/a/1", "/a/2/of/a/longer/way/than/fits/into/a/string/itself"]
    try await whileOpen(router) { visitor in
      for _ in 0..<2 {
        for path in paths {
          _ = try await visitor.get(path)
          _ = try await visitor.ask("DELETE", path)
        }
      }
    }
    recorder.close()
    let once = ["/a", "/a/:b", "/a/:b/of/a/longer/way/than/fits/into/a/string/itself"].flatMap {
      ["GET \($0)", "DELETE \($0)"]
    }
    let begun = try log.crumbs().filter { $0.message == "request begins" }
    #expect(begun.map { $0.text("request") } == once + once)
  }

  @Test func theRecordersHookSeesRequestsToo() async throws {
    let recorder = try log.open { draft in
      draft.data.removeAll { $0.key == "requestID" }
      if draft.message == "request ends" { draft.data.append(("seen", 1)) }
    }
    try await whileOpen(router(recorder)) { visitor in _ = try await visitor.get("/stock/hammer") }
    recorder.close()
    let crumbs = try log.crumbs().filter { ["request", "stock"].contains($0.category) }
    #expect(crumbs.map { $0.text("request") } == Array(repeating: "GET /stock/:item", count: 3))
    #expect(crumbs.allSatisfy { $0.text("requestID") == nil })
    #expect(crumbs.map { $0.number("seen") } == [nil, nil, 1])
  }
}
