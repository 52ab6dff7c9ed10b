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

/// A shop: `shop breadcrumbs.log [port]`. `SHOP_BUG` in the environment puts a bug in.
@main
enum Shop {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let recorder = Mainstay.start(path: arguments.first ?? "breadcrumbs.log", release: "1.0")
      .recorder
    try BlockingCalls.report(to: recorder)
    LoggingSystem.bootstrap { label in
      MultiplexLogHandler([
        CrumbLogHandler(label: label, recorder: recorder),
        StreamLogHandler.standardError(label: label),
      ])
    }
    let watches = HangWatch.all()
    defer { withExtendedLifetime(watches) {} }

    let mails = Mails()
    let app = application(
      port: arguments.dropFirst().first.flatMap { Int($0) } ?? 8080, mails, recorder)
    try await ServiceGroup(
      services: [
        RecorderService(recorder),  // first, so that it ends last
        CrumbService(mails, "mails", recorder: recorder),
        CrumbService(app, "server", recorder: recorder),
      ], gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "shop.services")
    ).run()
  }

  private static func application(
    port: Int, _ mails: Mails, _ recorder: BreadcrumbRecorder
  ) -> some ApplicationProtocol {
    let router = Router()
    router.add(middleware: CrumbMiddleware(recorder: recorder))
    PriceRoutes().add(to: router.group("prices"))
    OrderRoutes(mails: mails).add(to: router.group("orders"))
    return Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        print("open at port \(channel.localAddress?.port ?? 0)")
        fflush(nil)
      })
  }
}

/// The bugs to be had, each of which `crashscan` finds.
enum Bug: String {
  /// A callback changes what belongs to a queue.
  case offQueue = "off-queue"
  /// A callback takes it for given that it runs on an actor.
  case offActor = "off-actor"
  /// A callback that never comes, and its task waits forever.
  case leak
  /// A task waits for a thread.
  case blocking
  /// An event loop computes.
  case busyLoop = "busy-loop"
  /// An index that is not there.
  case crash
  /// A service that does not end.
  case shutdown

  private static let chosen = getenv("SHOP_BUG").flatMap { Bug(rawValue: String(cString: $0)) }

  /// Whether this one is in.
  var isIn: Bool { Self.chosen == self }
}
