import CLogFormat
import Foundation
import IncidentModel
import LogReading
import Testing

@testable import Breadcrumbs

/// Crumbs whose texts the log stores once for many crumbs.
struct BriefCrumbTests {
  private typealias Value = IncidentModel.CrumbValue

  private struct Expected: Equatable {
    var message: String
    var category: String
    var data: [String: Value]
  }

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func read(_ path: String) throws -> [Expected] {
    let incident = try LogReader(path: path).read()
    #expect(incident.unread.isEmpty)
    return incident.crumbs.map {
      Expected(
        message: $0.message, category: $0.category,
        data: Dictionary($0.data, uniquingKeysWith: { first, _ in first }))
    }
  }

  private static let integers: [Int64] = [
    0, 1, -1, 127, 128, -128, -129, 200, 255, 256, 32_767, 32_768, -32_769, 1 << 24, 1 << 31,
    1 << 47,
    1 << 55, (1 << 55) - 1, -(1 << 55) - 1, 1 << 62, .max, .min,
  ]

  @Test func valuesOfAllSizesAreReadAsTheyWereRecorded() throws {
    let recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
    var expected: [Expected] = []
    for round in 0..<3 {
      for (index, number) in Self.integers.enumerated() {
        let text = String(repeating: "é", count: index * 6)
        recorder.record(
          "stored", level: .info, category: "stock",
          data: [
            "n": .integer(number), "text": .string(text), "ratio": .double(Double(number) / 3),
            "a key of sixteen": .boolean(round == 1), "a key of seventeen": .string("x"),
          ])
        expected.append(
          Expected(
            message: "stored", category: "stock",
            data: [
              "n": .integer(number), "text": .string(text), "ratio": .double(Double(number) / 3),
              "a key of sixteen": .boolean(round == 1), "a key of seventeen": .string("x"),
            ]))
      }
    }
    #expect(try read(scratch.log) == expected)
  }

  @Test(arguments: [
    "0123456789abcdef01234567", "0123456789abcdef0123456789abcdef", "ffffffffffffffffffffffff",
    "0123456789abcdeg01234567", "0123456789abcdeF01234567", "0123456789abcde:01234567",
    "0123456789abcde`01234567", "0123456789abcde/01234567", "0123456789abcde@01234567",
    "0123456789abcdef0123456", "0123456789abcdé01234567", "        0123456789abcdef",
    String(repeating: "0123456789abcdef", count: 4),
    String(repeating: "0123456789abcdef", count: 5),
    String(repeating: "a", count: 253), String(repeating: "x", count: 253),
    String(repeating: "x", count: 254), String(repeating: "x", count: 255),
    String(repeating: "x", count: 256),
  ])
  func idsAreReadAsTheyWereRecorded(id: String) throws {
    let recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
    for _ in 0..<3 { recorder.record("order", data: ["id": .string(id), "n": 7]) }
    let data: [String: Value] = ["id": .string(id), "n": .integer(7)]
    #expect(try read(scratch.log).map(\.data) == [data, data, data])
  }

  /// The texts of these crumbs differ in one place only.
  @Test func crumbsOfOtherTextsHaveOtherTemplates() throws {
    let recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
    var expected: [Expected] = []
    for _ in 0..<4 {
      for (message, category, key) in [
        ("ab", "c", "d"), ("a", "bc", "d"), ("a", "b", "cd"), ("abc", "", "d"), ("", "abc", "d"),
        ("aa", "c", "d"), ("ab", "c", "e"), ("ab", "c", "dd"),
      ] {
        recorder.record(message, level: .info, category: category, values: [(key, .integer(7))])
        recorder.record(message, level: .info, category: category, values: [(key, .string("7"))])
        recorder.record(message, level: .info, category: category, values: [])
        expected += [[key: Value.integer(7)], [key: .string("7")], [:]].map {
          Expected(message: message, category: category, data: $0)
        }
      }
    }
    #expect(try read(scratch.log) == expected)
  }

  /// Requests that alternate on one thread, over many chunks.
  @Test func aContextIsReadInEachCrumb() throws {
    let recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
    var contexts: [CrumbContext] = []
    for index in 0..<200 {
      contexts.append(
        CrumbContext(only: [
          (MS_KEY_REQUEST, .string("GET /stock/\(index % 3)")),
          (MS_KEY_REQUEST_ID, .string("request \(index)")),
        ]))
    }
    var expected: [Expected] = []
    for round in 0..<20 {
      for (index, context) in contexts.enumerated() {
        CrumbContext.$here.withValue(context) {
          recorder.record("at \(index % 5)", data: ["round": .integer(Int64(round))])
        }
        expected.append(
          Expected(
            message: "at \(index % 5)", category: "",
            data: [
              "round": .integer(Int64(round)), MS_KEY_REQUEST: .string("GET /stock/\(index % 3)"),
              MS_KEY_REQUEST_ID: .string("request \(index)"),
            ]))
      }
    }
    let found = try read(scratch.log)
    #expect(found.count > 1000)
    #expect(found == Array(expected.suffix(found.count)))
  }

  @Test func aRequestNeedsLittleSpace() throws {
    let recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
    for index in 0..<20_000 {
      CrumbContext.$here.withValue(
        CrumbContext(only: [
          (MS_KEY_REQUEST, .string("GET /stock/:item")),
          (MS_KEY_REQUEST_ID, .string("8f3a21c4d05e9b760000000\(100_000_000 + index)")),
        ])
      ) {
        recorder.record("request begins", category: "request")
        recorder.record(
          "request ends", category: "request",
          data: ["status": 200, "nanoseconds": .integer(1_234_567)])
      }
    }
    let requests = try read(scratch.log).count / 2
    // The chunks of so small a log have 4 KiB, and each has templates of its own.
    let chatter = 1 << 20 - (5 << 20) / 20 - (1 << 20) / 32 - (1 << 20) / 8
    #expect(requests > 0 && chatter / requests <= 130, "\(requests) requests")
  }

  @Test func aDamagedTemplateTakesNothingButItsTexts() throws {
    let recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
    for index in 0..<10 { recorder.record("a brief crumb", data: ["n": .integer(index)]) }
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.log)))
    let text = Array("a brief crumb".utf8)
    let places = (0..<bytes.count - text.count).filter {
      bytes[$0] == text[0] && Array(bytes[$0..<$0 + text.count]) == text
    }
    #expect(places.count == 2, "the first crumb, and the template")
    bytes[try #require(places.last)] ^= 1
    let incident = try bytes.withUnsafeBytes { try LogReader(contents: $0, name: "damaged").read() }
    #expect(incident.crumbs.count == 10 && incident.unread.count == 1)
    #expect(
      incident.crumbs.map(\.message)
        == ["a brief crumb"] + Array(repeating: "the text of this crumb is damaged", count: 9))
  }

  /// Records with valid checksums whose contents do not fit together.
  @Test func recordsThatDoNotFitTogetherAreExpandedSafely() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      func record(_ type: UInt32, _ least: Int) -> [UInt8] {
        let words = Int.random(in: least / 8...least / 8 + 6, using: &random)
        var bytes = (0..<words * 8).map { _ in
          Bool.random(using: &random)
            ? UInt8.random(in: 0...9, using: &random) : .random(in: 0...255, using: &random)
        }
        bytes[4] = UInt8(words)
        bytes[5] = 0
        bytes[6] = UInt8(type)
        return bytes
      }
      let crumb = record(MS_RECORD_BRIEF.rawValue, 40)
      let texts = record(MS_RECORD_TEMPLATE.rawValue, 24)
      let context = record(MS_RECORD_BRIEF.rawValue, 40)
      let out = [UInt8](unsafeUninitializedCapacity: Int(MS_EXPANDED_LIMIT)) { out, count in
        crumb.withUnsafeBufferPointer { crumb in
          texts.withUnsafeBufferPointer { texts in
            context.withUnsafeBufferPointer { context in
              var parts = ms_brief_parts(
                crumb: crumb.baseAddress!, texts: texts.baseAddress!, context: context.baseAddress!,
                context_texts: texts.baseAddress!)
              count = Int(ms_brief_expand(&parts, out.baseAddress!))
            }
          }
        }
      }
      #expect(
        out.count >= MemoryLayout<ms_crumb_record>.size && out.count <= Int(MS_EXPANDED_LIMIT))
    }
  }
}
