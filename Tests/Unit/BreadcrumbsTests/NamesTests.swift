import Foundation
import IncidentModel
import Testing

@testable import Breadcrumbs

/// Levels by their names, and categories and events whose names are made at run time.
struct NamesTests {
  private let scratch: Scratch
  private let recorder: BreadcrumbRecorder

  init() throws {
    scratch = try Scratch()
    recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
  }

  private func only() throws -> Crumb {
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.count == 1)
    return try #require(crumbs.first)
  }

  @Test func eachLevelHasItsName() throws {
    recorder.debug("a")
    recorder.info("a", category: "c")
    recorder.notice("\("a")")
    recorder.warning("a", data: ["k": 1])
    let id = UUID()
    recorder.error("a", category: "c", data: ["k": id])
    recorder.fatal("a", category: "\("c")")
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.map(\.level) == [.debug, .info, .notice, .warning, .error, .fatal])
    #expect(crumbs.map(\.category) == ["", "c", "", "", "c", "c"])
    #expect(crumbs.map { $0.stack != nil } == [false, false, false, false, true, true])
    #expect(crumbs[3]["k"] == .integer(1) && crumbs[4]["k"] == .string(id.uuidString))
    #expect(crumbs.allSatisfy { $0.message == "a" })
  }

  @Test func aLevelByItsNameHasTheSameStackAsByItsWord() throws {
    let (text, count) = ("made", 1)
    recorder.record("fixed", level: .error)
    recorder.error("fixed")
    recorder.error(text)
    recorder.error("fixed", data: ["count": 1])
    recorder.error("fixed", data: ["count": count])
    recorder.error("fixed", category: text)
    recorder.error("fixed", category: text, data: ["count": 1])
    recorder.error("fixed", category: text, data: ["count": count])
    let stacks = try scratch.incident().crumbs.compactMap { $0.stack?.frames }
    #expect(stacks.count == 8)
    #expect(Set(stacks.map(\.count)).count == 1)
    #expect(Set(stacks.map { $0.dropFirst() }).count == 1)
  }

  @Test(arguments: [1, 63, 64, 65, 300])
  func aCategoryMadeAtRunTimeComesBack(length: Int) throws {
    let category = String(repeating: "x", count: length)
    recorder.record("what", level: .warning, category: category, data: ["n": length])
    let crumb = try only()
    #expect(crumb.category == category.prefix(64))
    #expect(
      crumb.message == "what" && crumb.level == .warning && crumb["n"] == .integer(Int64(length)))
  }

  @Test func anEventMadeAtRunTimeIsKeptApart() throws {
    let name = "drained \(3)"
    recorder.recordLifecycle(LifecycleEvent(name), data: ["open": 3])
    let crumb = try only()
    #expect(crumb.kind == .lifecycle && crumb.category == "lifecycle" && crumb.message == name)
    #expect(crumb["open"] == .integer(3) && crumb.stack != nil)
  }

  @Test func aLogSaysWhichBuildItIsOfOnlyWhereItIsTold() throws {
    recorder.record("old")
    #expect(try scratch.incident().process?.release == nil)
    #expect(try scratch.incident().process?.environment == nil)
    let named = try BreadcrumbRecorder(
      path: scratch.path + "/named.log", capacity: 256 << 10, automatic: [], release: "1.4.2")
    named.close()
    let process = try scratch.incident("named.log").process
    #expect(process?.release == "1.4.2" && process?.environment == nil)
  }

  @Test func aRedactionHookSeesThem() throws {
    let redacting = try BreadcrumbRecorder(
      path: scratch.path + "/redacted.log", capacity: 256 << 10, automatic: [],
      redact: { draft in draft.message += " in \(draft.category)" })
    let name = "orders"
    redacting.record("a", category: name)
    redacting.error("b", category: "net")
    redacting.recordLifecycle(LifecycleEvent(name), data: ["open": UUID()])
    redacting.close()
    let crumbs = try scratch.incident("redacted.log").crumbs
    #expect(crumbs.map(\.message) == ["a in orders", "b in net", "orders in lifecycle"])
    #expect(crumbs.map(\.category) == ["orders", "net", "lifecycle"])
  }
}
