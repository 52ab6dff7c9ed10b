import Foundation
import ProcessTesting
import Testing

@testable import CrashAnalysis

/// What the analysis may print is judged as a list: every text of its sources.
struct PrintedTextTests {
  /// A text and where it stands.
  private struct Text: CustomStringConvertible {
    var text: String
    var place: String
    var description: String { "\(place): \(text)" }
  }

  private static let texts: [Text] = {
    let folders = ["Analysis", "crashscan"]
    return folders.flatMap { folder -> [Text] in
      let root = Repository.root.appendingPathComponent("Sources/\(folder)")
      let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
      let swift = files!.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      return swift.flatMap { file in
        let source = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return Self.literals(in: source).map { Text(text: $0, place: file.lastPathComponent) }
      }
    }
  }()

  /// The string literals of a source, those that are joined by `+` as one, without their interpolations.
  private static func literals(in source: String) -> [String] {
    guard let code = SwiftMask.blanked(Array(source.utf8)) else { return [] }
    var found: [String] = []
    var bytes = Array(source.utf8)
    bytes.append(0)
    var place = 0
    while let start = code[place...].firstIndex(of: UInt8(ascii: "\"")) {
      // Blanked out: it ends where there is code again.
      var end = start + 1
      while end < code.count, code[end] == 32 || code[end] == 10 { end += 1 }
      let isLong = bytes[start...].starts(with: "\"\"\"".utf8)
      let line = bytes[start..<end].firstIndex(of: 10)
      let slice = bytes[start..<(isLong ? end : line ?? end)]
      let last = slice.lastIndex(of: UInt8(ascii: "\"")) ?? slice.endIndex
      found.append(String(decoding: slice[..<last], as: UTF8.self))
      place = end
      if place >= code.count { break }
    }
    return found
  }

  /// Sentences about a program that only its record could not show: that a tool has seen nothing is not
  /// a fact about the program.
  private static let verdicts = [
    "not about", "nothing to do with", "nothing here points", "not to blame", "not the cause",
    "did not cause", "cannot be the cause", "unrelated to", "is not related", "is innocent",
    "no threading", "not a threading", "no race", "is thread-safe", "not caused by", "no bug",
  ]

  @Test func thereAreTextsToJudge() {
    #expect(Self.texts.count > 500)
    #expect(
      Self.texts.contains { $0.text.contains("no link between this crash and queues was recorded") }
    )
  }

  @Test(arguments: verdicts)
  func noTextAcquits(_ verdict: String) {
    #expect(Self.texts.filter { $0.text.lowercased().contains(verdict) }.map(\.description) == [])
  }

  /// What was seen by nobody is told as what was not recorded, and nothing more.
  @Test func whatIsMissingIsMissingInTheRecord() {
    let missing = Self.texts.filter { text in
      ["no link", "none was", "nothing was"].contains { text.text.lowercased().contains($0) }
    }
    let told = ["record", "log", "report", "stack", "read", "given", "found"]
    #expect(
      missing.filter { text in !told.contains { text.text.contains($0) } }.map(\.description) == [])
  }

  /// Words that nobody outside understands.
  @Test(arguments: ["how sure: no link", "registration not seen", "how sure:"])
  func noTextIsARiddle(_ words: String) {
    #expect(Self.texts.filter { $0.text.contains(words) }.map(\.description) == [])
  }

  /// A fix is an edit of the source or a sentence: a text that looks like code and cannot be is neither.
  @Test func noTextIsASketch() {
    let sketches = ["func \\(", "… =", "(…)", "{ … }  //", "[weak self]"]
    let own = Self.texts.filter { $0.place != "StandIn.swift" && $0.place != "ReproWriter.swift" }
    let found = own.filter { text in sketches.contains { text.text.contains($0) } }
    #expect(found.filter { $0.place != "SwiftEdits.swift" }.map(\.description) == [])
  }

  @Test func aSecondThatIsNoneIsNotTold() {
    let moment = Moment(monotonic: 5, wall: 5)
    #expect(moment.time(until: moment) == nil)
  }

  @Test func dispatchWorkersAreNamedByWhatTheyAre() {
    #expect(DisplayText.thread(3, "oot.default-qos") == "thread 3 (Dispatch worker)")
    #expect(DisplayText.thread(2, "-qos.overcommit") == "thread 2 (Dispatch worker)")
    #expect(DisplayText.thread(4, "render") == "thread 4 “render”")
    #expect(DisplayText.thread(5, "") == "thread 5")
  }
}
