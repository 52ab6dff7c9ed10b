import Breadcrumbs
import Hummingbird
import CrashscanLogs
import MainstayHummingbird
import Testing

/// Requests at the same time, each with values of the middleware and of another one, in contexts of several kinds.
@Suite struct ConcurrentRequestTests {
  private let log = TemporaryLog()

  /// Gives all crumbs of a request the tenant that it names.
  private struct TenantMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
      _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      let tenant = request.uri.queryParameters["tenant"].map { String($0) } ?? "none"
      return try await withCrumbs(["tenant": .string(tenant)]) { try await next(request, context) }
    }
  }

  private struct UserContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var user = "nobody"

    init(source: Source) { coreContext = .init(source: source) }
  }

  /// The context of a group, made of that of the router.
  private struct OrderContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let user: String

    init(context: UserContext) {
      coreContext = context.coreContext
      user = context.user
    }
  }

  private func answer(
    _ recorder: BreadcrumbRecorder, _ context: some RequestContext
  ) async throws -> String {
    let number = try context.parameters.require("number")
    // The others go on meanwhile, and this one goes on on another thread, and in a child task.
    for _ in 0..<10 { await Task.yield() }
    async let child: Void = recorder.record("worked", data: ["number": .string(number)])
    await child
    return "\(number) \(context.id)"
  }

  private struct Answer: Hashable {
    let route: String
    let number: String
    let tenant: String
    let id: String
  }

  @Test(arguments: [true, false]) func eachKeepsItsOwnValues(isTenantFirst: Bool) async throws {
    let recorder = try log.open()
    let router = Router(context: UserContext.self)
    if isTenantFirst { router.add(middleware: TenantMiddleware()) }
    router.add(middleware: CrumbMiddleware(recorder: recorder))
    if !isTenantFirst { router.add(middleware: TenantMiddleware()) }
    router.get("users/:number") { [self] _, context in try await answer(recorder, context) }
    router.group("orders", context: OrderContext.self).get(":number") { [self] _, context in
      try await answer(recorder, context)
    }
    var answers: Set<Answer> = []
    try await whileOpen(router) { visitor in
      answers = try await withThrowingTaskGroup { group in
        for number in 0..<40 {
          let (path, tenant) = (number % 2 == 0 ? "users" : "orders", "tenant-\(number % 7)")
          group.addTask {
            let body = try await visitor.get("/\(path)/\(number)?tenant=\(tenant)").body
            let words = body.split(separator: " ").map { String($0) }
            return Answer(
              route: "GET /\(path)/:number", number: words[0], tenant: tenant, id: words[1])
          }
        }
        return try await group.reduce(into: []) { $0.insert($1) }
      }
    }
    recorder.close()
    #expect(answers.count == 40 && Set(answers.map(\.id)).count == 40)
    let crumbs = try log.crumbs().filter { $0.text("request") != nil }
    let worked = crumbs.filter { $0.message == "worked" }.map { crumb in
      Answer(
        route: crumb.text("request") ?? "", number: crumb.text("number") ?? "",
        tenant: crumb.text("tenant") ?? "", id: crumb.text("requestID") ?? "")
    }
    #expect(worked.count == 40 && Set(worked) == answers)
    for message in ["request begins", "request ends"] {
      let ends = crumbs.filter { $0.message == message }
      #expect(Set(ends.map { $0.text("requestID") }) == Set(answers.map(\.id)), "\(message)")
      let hasTenant = ends.allSatisfy { ($0.text("tenant") != nil) == isTenantFirst }
      #expect(ends.count == 40 && hasTenant, "\(message)")
    }
  }

  @Test func theInnerOfTwoMiddlewaresNamesTheRequestInside() async throws {
    let recorder = try log.open()
    let router = Router()
    router.add(middleware: CrumbMiddleware(recorder: recorder))
    router.group("inner").add(middleware: CrumbMiddleware(recorder: recorder)).get(":item") {
      _, context in
      recorder.record("inside")
      return context.id
    }
    var id = ""
    try await whileOpen(router) { visitor in id = try await visitor.get("/inner/nut").body }
    recorder.close()
    let crumbs = try log.crumbs().filter { $0.text("request") != nil }
    #expect(
      crumbs.map(\.message) == [
        "request begins", "request begins", "inside", "request ends", "request ends",
      ])
    #expect(crumbs.allSatisfy { $0.text("request") == "GET /inner/:item" })
    #expect(crumbs.allSatisfy { $0.text("requestID") == id })
  }
}
