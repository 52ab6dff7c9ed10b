import Foundation
import IncidentModel
import Testing

@testable import Breadcrumbs

/// Plain values come back as what they were, whatever their type.
struct PlainDataTests {
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

  private struct Order: CustomStringConvertible {
    let recorder: BreadcrumbRecorder
    var description: String {
      recorder.record("described", data: ["by": "itself"])
      return "an order"
    }
  }

  @Test func textsTruthsAndBrokenNumbersComeBack() throws {
    let text = String(repeating: "long ", count: 10)
    recorder.record(
      "plain \(text.count)", level: .notice, category: "tests",
      data: [
        "text": text, "part": text.dropFirst(40), "true": 1 < 2, "half": 0.5, "float": Float(0.25),
        "value": Breadcrumbs.CrumbValue.integer(7),
      ])
    let crumb = try only()
    #expect(crumb.message == "plain 50" && crumb.category == "tests" && crumb.level == .notice)
    #expect(crumb.data.map(\.key) == ["text", "part", "true", "half", "float", "value"])
    #expect(crumb["text"] == .string(text) && crumb["part"] == .string("long long "))
    #expect(crumb["true"] == .boolean(true) && crumb["half"] == .double(0.5))
    #expect(crumb["float"] == .double(0.25) && crumb["value"] == .integer(7))
  }

  @Test func wholeNumbersOfEveryWidthComeBack() throws {
    recorder.record(
      "plain",
      data: [
        "a": Int.min, "b": Int8.min, "c": Int16.min, "d": Int32.min, "e": Int64.max,
        "f": UInt8.max, "g": UInt16.max, "h": UInt32.max, "i": UInt(7), "j": UInt64(1) << 62,
      ])
    let expected: [Int64] = [
      .min, -128, -32_768, -2_147_483_648, .max, 255, 65_535, 4_294_967_295, 7, 1 << 62,
    ]
    #expect(try only().data.map(\.value) == expected.map(IncidentModel.CrumbValue.integer))
  }

  @Test func aNumberThatDoesNotFitIsATextAndNotAnother() throws {
    let hash: UInt = 1 << 63
    recorder.record("plain", data: ["most": UInt64.max, "hash": hash])
    let crumb = try only()
    #expect(crumb["most"] == .string("18446744073709551615"))
    #expect(crumb["hash"] == .string("9223372036854775808"))
  }

  @Test func aUUIDIsItsText() throws {
    let fixed = UUID(uuid: (0, 1, 0x9a, 0xbc, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))
    let random = UUID()
    recorder.record("plain", data: ["fixed": fixed, "random": random, "count": 1])
    let crumb = try only()
    #expect(crumb["fixed"] == .string("00019ABC-0405-0607-0809-0A0B0C0D0EFF"))
    #expect(crumb["random"] == .string(random.uuidString) && crumb["count"] == .integer(1))
  }

  @Test func aValueMayLeaveCrumbsWhileItDescribesItself() throws {
    recorder.record("plain", data: ["before": 1, "order": Order(recorder: recorder), "after": 2])
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.map(\.message) == ["described", "plain"])
    #expect(crumbs.first?["by"] == .string("itself"))
    #expect(crumbs.last?.data.map(\.key) == ["before", "order", "after"])
    #expect(crumbs.last?["order"] == .string("an order"))
  }

  @Test func plainDataHasTheSameStackAsShortData() throws {
    let count = 1
    recorder.record("short", data: ["count": 1], stack: .always)
    recorder.record("plain", data: ["count": count], stack: .always)
    recorder.record("gathered", data: ["count": Order(recorder: recorder)], stack: .always)
    let crumbs = try scratch.incident().crumbs.filter { $0.message != "described" }
    let stacks = crumbs.compactMap { $0.stack?.frames }
    #expect(stacks.count == 3)
    #expect(Set(stacks.map(\.count)).count == 1)
    #expect(Set(stacks.map { $0.dropFirst() }).count == 1)
  }

  @Test func plainLifecycleDataComesBack() throws {
    let id = UUID()
    recorder.recordLifecycle(.didLaunch, data: ["id": id, "of": [1]])
    let crumb = try only()
    #expect(crumb.kind == .lifecycle && crumb.message == "did launch")
    #expect(crumb["id"] == .string(id.uuidString) && crumb["of"] == .string("[1]"))
  }

  @Test func aRedactionHookSeesPlainData() throws {
    let path = scratch.path + "/redacted.log"
    let redacting = try BreadcrumbRecorder(
      path: path, capacity: 256 << 10, automatic: [],
      redact: { draft in draft.data.removeAll { $0.value == "hunter2" || $0.key == "id" } })
    let (password, count) = ("hunter2", UInt64.max)
    redacting.record("plain", data: ["password": password, "count": count, "id": UUID()])
    redacting.close()
    let crumb = try #require(try scratch.incident("redacted.log").crumbs.first)
    #expect(crumb.data.map(\.key) == ["count"] && crumb["count"] == .string("\(UInt64.max)"))
  }

  @Test func whatIsTooMuchIsCutAndMarked() throws {
    let text = String(repeating: "x", count: 1000)
    recorder.record("plain", data: ["text": text, "id": UUID(), "most": UInt64.max, "late": text])
    let crumb = try only()
    #expect(crumb.isDataCut && crumb["text"] == .string(text) && crumb["late"] == nil)
  }
}
