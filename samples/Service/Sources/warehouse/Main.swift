import Glibc
import Hummingbird
import Mainstay

/// A warehouse: its stock, its orders, its shipping and its scales, behind a small HTTP interface.
///
///     warehouse breadcrumbs.log [port]
@main
enum Warehouse {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let recorder = Mainstay.start(
      path: arguments.first ?? "breadcrumbs.log",
      automatic: [.standard, .waitedSignals],  // Hummingbird takes SIGTERM by a DispatchSource
      crashes: CrashOptions(capturesSIGQUIT: true)
    ).recorder
    recorder.record("warehouse opened", category: "warehouse")
    let app = application(
      port: arguments.dropFirst().first.flatMap { Int($0) } ?? 0, recorder)
    try await app.runService()
    recorder.record("warehouse closed", category: "warehouse")
  }

  private static func application(
    port: Int, _ recorder: BreadcrumbRecorder
  ) -> some ApplicationProtocol {
    let router = Router()
    router.add(middleware: RequestCrumbs(recorder: recorder))
    router.get("health") { _, _ in "open" }
    let dashboard = Dashboard()
    StockRoutes(dashboard: dashboard).add(to: router.group("stock"))
    OrderRoutes(recorder: recorder).add(to: router.group("orders"))
    DashboardRoutes(dashboard: dashboard).add(to: router.group("dashboard"))
    ShippingRoutes(recorder: recorder).add(to: router.group("shipping"))
    ScaleRoutes().add(to: router.group("scales"))
    OfficeRoutes(recorder: recorder).add(to: router.group("office"))
    SupplierRoutes().add(to: router.group("suppliers"))
    return Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        print("open at port \(channel.localAddress?.port ?? 0)")
        fflush(nil)
      })
  }
}

extension Request {
  /// A number of the query; `fallback` where it is not there.
  func number(_ name: Substring, or fallback: Int = 0) -> Int {
    uri.queryParameters[name].flatMap { Int($0) } ?? fallback
  }

  /// A word of the query; empty where it is not there.
  func word(_ name: Substring) -> String {
    uri.queryParameters[name].map { String($0) } ?? ""
  }
}

typealias Routes = RouterGroup<BasicRequestContext>
