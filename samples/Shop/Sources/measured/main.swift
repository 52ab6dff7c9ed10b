import BlockingCalls
import Glibc
import Hummingbird
import Logging
import Mainstay
import MainstayHummingbird
import MainstayLifecycle
import MainstayNIO
import MainstaySwiftLog
import ServiceLifecycle

// measured LOG bare|empty|middleware|log|all: a service, for what each of its parts costs.
// measured LOG lines: a line of the log, for what its handlers cost.
// measured LOG requests: a request without a server, for what the middleware costs.
// measured LOG requests empty|middleware COUNT: so many of them, for a count of instructions.
guard [3, 5].contains(CommandLine.arguments.count) else {
  print("usage: measured LOG bare|empty|middleware|log|all|lines|requests [empty|middleware COUNT]")
  exit(64)
}
let what = CommandLine.arguments[2]

if what == "lines" {
  measureLines()
  exit(0)
}
if what == "requests", CommandLine.arguments.count == 5, let count = Int(CommandLine.arguments[4]) {
  let requests = try Requests(log: CommandLine.arguments[1])
  try await requests.send(count, through: CommandLine.arguments[3])
  exit(0)
}
if what == "requests" {
  try await measureRequests(log: CommandLine.arguments[1])
  exit(0)
}

let hasAll = what == "all"
let recorder =
  ["bare", "empty"].contains(what)
  ? nil
  : Mainstay.start(path: CommandLine.arguments[1]).recorder
LoggingSystem.bootstrap { label in
  guard let recorder, what == "log" || hasAll else {
    // Silent, and all that swift-log does for a line that may be written it does.
    var handler = StreamLogHandler.standardError(label: label)
    handler.logLevel = .warning
    return handler
  }
  return CrumbLogHandler(label: label, recorder: recorder)
}
let watches = hasAll ? HangWatch.all() : []
if hasAll, let recorder { try BlockingCalls.report(to: recorder) }

let router = Router()
if let recorder, what == "middleware" || hasAll {
  router.add(middleware: CrumbMiddleware(recorder: recorder))
}
if what == "empty" { router.add(middleware: EmptyMiddleware()) }
let logger = Logger(label: "stock")
router.get("stock/:item") { _, context in
  let item = try context.parameters.require("item")
  logger.info("looked up", metadata: ["item": "\(item)"])
  return item
}
// As the routes of services are: an actor, an answer in JSON, a few headers.
let items = Items()
router.get("items/:item") { _, context in
  let name = try context.parameters.require("item")
  logger.info("looked up", metadata: ["item": "\(name)"])
  guard let item = await items.take(name) else { throw HTTPError(.notFound) }
  return EditedResponse(
    headers: [.cacheControl: "no-store", .eTag: "\"\(item.count)\"", .vary: "Accept"],
    response: item)
}
let app = Application(
  router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
  onServerRunning: { channel in
    print("open at port \(channel.localAddress?.port ?? 0)")
    fflush(nil)
  })
let service: any Service
if hasAll, let recorder {
  service = CrumbService(app, "server", recorder: recorder)
} else {
  service = app
}
try await ServiceGroup(
  services: [service], gracefulShutdownSignals: [.sigterm], logger: Logger(label: "services")
).run()

func measureLines() {
  let recorder = Mainstay.start(path: CommandLine.arguments[1]).recorder
  let handlers: [(String, any LogHandler)] = [
    ("none", SwiftLogNoOpLogHandler()),
    ("stream", StreamLogHandler.standardError(label: "stock")),
    ("crumbs", CrumbLogHandler(label: "stock", recorder: recorder)),
  ]
  let loggers = handlers.map { name, handler in
    (name, Logger(label: "stock", factory: { _ in handler }))
  }
  let count = 20_000
  for _ in 0..<40 {
    let times = loggers.map { name, logger in
      let begin = ContinuousClock.now
      for number in 0..<count { logger.info("looked up", metadata: ["item": "\(number)"]) }
      let (seconds, rest) = (ContinuousClock.now - begin).components
      return (Double(seconds) * 1e9 + Double(rest) / 1e9) / Double(count)
    }
    print(times.map { "\($0)" }.joined(separator: " "))
  }
}
