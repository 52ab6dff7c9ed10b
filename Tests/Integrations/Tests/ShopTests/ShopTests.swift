import Foundation
import CrashscanLogs
import Testing

/// Each bug of the sample, by real requests, and what `crashscan` says of it.
@Suite(.serialized) struct ShopTests {
  private let log = TemporaryLog()

  private let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../../samples/Shop/Sources")

  /// Where the sample's source says that a bug is.
  private func place(of bug: String) throws -> String {
    for file in ["Prices.swift", "Orders.swift"] {
      let text = try String(
        contentsOf: sources.appendingPathComponent("shop/\(file)"), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      if let line = lines.firstIndex(where: { $0.contains("// bug: \(bug)") }) {
        return "\(file):\(line + 1)"
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  /// The program of the README: six lines more than it had.
  @Test func sixLinesGiveALogATrailOfRequestsAndACrashWithItsRouteAndLine() async throws {
    let source = try String(
      contentsOf: sources.appendingPathComponent("hello/main.swift"), encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let added = lines.filter { $0.contains(#/  \/\/ \d/#) }
    #expect(added.count == 6)
    #expect(
      !lines.contains { !added.contains($0) && $0.contains(#/Mainstay|Crumb|HangWatch|recorder/#) })

    let hello = try RunningShop(helloAt: try freePort(), log: log)
    while await hello.send("GET", "/share/4") != 200 {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(await hello.send("GET", "/share/0") == nil)
    hello.waitForEnd()
    let finding = try #require(try log.findings().first { $0.rule == "crash-cause" })
    let bug = try #require(lines.firstIndex { $0.contains("// the bug") })
    #expect(finding.place == "main.swift:\(bug + 1)")
    #expect(finding.says("request: GET /share/:people"))
    let trail = try log.crumbs().filter { $0.category == "request" }.map(\.message)
    #expect(trail == ["request begins", "request ends", "request begins"])
  }

  /// Hummingbird receives SIGTERM by a `DispatchSource`, which no handler sees.
  @Test func sixLinesRecordTheRequestToEnd() async throws {
    let hello = try RunningShop(helloAt: try freePort(), log: log)
    while await hello.send("GET", "/share/4") != 200 {
      try await Task.sleep(for: .milliseconds(20))
    }
    hello.kill(SIGTERM)
    hello.waitForEnd()
    let asked = try log.crumbs().filter { $0.message == "will terminate" }
    #expect(asked.count == 1 && asked.first?.text("signal") == "SIGTERM")
    #expect(try log.findings().map(\.title) == [])
  }

  private func freePort() throws -> Int {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    try #require(isBound)
    return Int(UInt16(bigEndian: address.sin_port))
  }

  @Test func withoutABugNothingIsFound() async throws {
    let shop = try RunningShop(log: log)
    #expect(await shop.send("GET", "/prices/nut") == 200)
    #expect(await shop.send("POST", "/prices/nut/queue") == 202)
    #expect(await shop.send("POST", "/prices/nut/main") == 202)
    #expect(await shop.send("POST", "/prices/nut/actor") == 202)
    #expect(await shop.send("GET", "/prices/nut/forecast") == 200)
    #expect(await shop.send("POST", "/orders?count=3") == 200)
    #expect(await shop.send("GET", "/orders/1") == 200)
    #expect(await shop.send("GET", "/orders/2") == 404)
    shop.kill(SIGTERM)
    shop.waitForEnd()
    #expect(try log.findings().map(\.title) == [])
    let crumbs = try log.crumbs()
    let ordered = try #require(crumbs.first { $0.message == "order taken" })
    #expect(ordered.category == "shop.orders" && ordered.text("request") == "POST /orders")
    #expect(crumbs.filter { $0.message == "request ends" }.count == 8)
    let told = crumbs.filter { $0.category == "service" }
    #expect(told.filter { $0.message == "service ends" }.count == 2)
  }

  @Test func aCallbackThatIsNotOnItsQueueIsFound() async throws {
    let shop = try RunningShop("off-queue", log: log)
    #expect(await shop.send("POST", "/prices/nut/queue") == 202)
    while try log.crumbs().allSatisfy({ $0.kind != "violation" }) { await Task.yield() }
    shop.kill(SIGTERM)
    shop.waitForEnd()
    try expect("wrong-executor", at: "off-queue")
  }

  @Test func aCallbackThatIsNotOnItsActorIsFound() async throws {
    let shop = try RunningShop("off-actor", log: log)
    await shop.send("POST", "/prices/nut/actor")
    shop.waitForEnd()
    try expect("crash-cause", at: "off-actor")
  }

  @Test func aCrashNamesItsRouteAndItsLine() async throws {
    let shop = try RunningShop("crash", log: log)
    #expect(await shop.send("GET", "/orders/7") == nil)
    shop.waitForEnd()
    let finding = try expect("crash-cause", at: "crash")
    #expect(finding.says("request: GET /orders/:order"))
    let begun = try log.crumbs().first { $0.message == "request begins" }
    #expect(finding.says("requestID: \(try #require(begun?.text("requestID")))"))
    #expect(finding.says("1 request was in flight and never answered: GET /orders/:order"))
  }

  @Test func aTaskThatBlocksItsThreadIsFound() async throws {
    let shop = try RunningShop("blocking", log: log)
    #expect(await shop.send("POST", "/orders") == 200)
    shop.kill(SIGTERM)
    shop.waitForEnd()
    try expect("blocking-call", at: "blocking")
  }

  @Test func aLoopThatComputesIsFoundByItsName() async throws {
    let shop = try RunningShop("busy-loop", log: log)
    // A loop is watched from its first answer on: the first request may come before that.
    for _ in 0..<10 where try found("loop-blocked", at: "busy-loop") == nil {
      #expect(await shop.send("GET", "/prices/nut/forecast") == 200)
    }
    shop.kill(SIGTERM)
    shop.waitForEnd()
    let finding = try expect("loop-blocked", at: "busy-loop")
    #expect(finding.title.contains("event loop “loop "))
  }

  @Test func aContinuationThatNobodyResumesIsFoundAndNamesTheShutdownThatItHolds() async throws {
    let shop = try RunningShop("leak", log: log)
    async let asked = shop.send("GET", "/prices/ghost")
    while try !log.contains("GET /prices/:item") { await Task.yield() }
    try await killDuringShutdown(shop)
    _ = await asked
    let finding = try expect("leaked-continuation", at: "leak")
    #expect(finding.says("service “server” was asked to end"))
    #expect(finding.says("1 request was in flight and never answered: GET /prices/:item"))
  }

  @Test func aShutdownThatHangsNamesServiceTaskAndPlace() async throws {
    let shop = try RunningShop("shutdown", log: log)
    #expect(await shop.send("POST", "/orders") == 200)
    try await killDuringShutdown(shop)
    let finding = try expect("unclean-end", at: "shutdown")
    // The optimizer may inline `flush`, and its continuation then stands in `run`.
    #expect(finding.title.contains(/Service “mails” waited in Mails\.(flush|run)\(\)/))
    #expect(finding.says("a task waited for a continuation"))
  }

  /// Asks it to end, and kills it once it has listed the tasks that wait, as an orchestrator does later.
  private func killDuringShutdown(_ shop: RunningShop) async throws {
    shop.kill(SIGTERM)
    while try log.crumbs().allSatisfy({ $0.message != "tasks wait" }) {
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(shop.isRunning)
    shop.kill(SIGKILL)
    shop.waitForEnd()
  }

  @discardableResult
  private func expect(_ rule: String, at bug: String) throws -> FoundFinding {
    let all = try log.findings().map { "\($0.rule), \($0.place ?? "no place"): \($0.title)" }
    return try #require(try found(rule, at: bug), "\(all)")
  }

  /// Where processors are short, somebody else may wait for one meanwhile, and be a finding too.
  private func found(_ rule: String, at bug: String) throws -> FoundFinding? {
    let place = try place(of: bug)
    return try log.findings().first { $0.rule == rule && $0.place == place }
  }
}
