import Glibc
import ReportTrials
import ProcessTesting
import Testing

@testable import ReportReading

/// Reports that others published, and what each shows; they are not part of the project.
@Suite struct CorpusTests {
  private static let directory =
    getenv("REPORT_CORPUS").map { String(cString: $0) }
    ?? Repository.root.path + "/../shared/corpus"

  static let rows: [CorpusRow] = {
    let table = String(decoding: Scratch.bytes(of: directory + "/INDEX.md"), as: UTF8.self)
    let rows = table.split(separator: "\n").compactMap {
      CorpusRow(line: $0, directory: directory)
    }
    if rows.isEmpty { print("corpus: there is none at \(directory); its tests are skipped") }
    return rows
  }()

  /// Each is read once, for all that is asked of it.
  private static let readings = Dictionary(
    uniqueKeysWithValues: Set(rows.map(\.path)).map { ($0, ReportReading(path: $0)) })

  @Test(arguments: rows) func isReadAsItsRowSays(_ row: CorpusRow) throws {
    let reading = try #require(Self.readings[row.path])
    if row.kind == "apple-ips-other" {
      #expect(reading.failure?.contains("kernel panic") == true)
      return
    }
    #expect(reading.failure == nil)
    let recording = try #require(reading.recordings.first)
    #expect(row.formats.contains(recording.format))
    if row.hasNoThread { #expect(recording.thread == nil) }
    if let thread = row.thread, let number = Int(thread) {
      #expect(recording.thread?.index == number)
    } else if let thread = row.thread, row.place.contains(" / ") {
      #expect(recording.thread?.name == thread)
    }
    switch row.queue {
    case nil: break
    case "": #expect(recording.queue == nil)
    case "main": #expect(recording.queue.map(MainThread.isMain(queue:)) == true)
    case let queue?: #expect(recording.queue?.hasPrefix(queue) == true)
    }
  }

  @Test(arguments: rows) func itsExceptionIsWhatItsRowSays(_ row: CorpusRow) throws {
    if row.kind == "apple-ips-other" { return }
    let texts = try #require(row.exceptions(in: Self.rows), "no words known in: \(row.story)")
    let recording = try #require(Self.readings[row.path]?.recordings.first)
    let said = recording.crash + "\n" + (recording.subject ?? "")
    if texts.isEmpty {
      #expect(said == "\n")
    } else {
      #expect(texts.contains(where: said.contains))
    }
    #expect(!row.story.contains("not a crash") || recording.crash.isEmpty)
  }

  @Test(arguments: rows) func itHasTheFindingOfItsRowAndNoOther(_ row: CorpusRow) throws {
    let reading = try #require(Self.readings[row.path])
    let found = reading.accusations
    // Work that a callback led to may also be told as the callback's.
    let alsoRight = row.rules.contains("off-main-ui") ? ["unhopped-callback"] : []
    #expect(found.isSuperset(of: row.rules) && found.isSubset(of: row.rules.union(alsoRight)))
    let isWhole = reading.recordings.allSatisfy(\.unread.isEmpty)
    let others = Set(reading.entries.map(\.finding.rule)).subtracting(found)
    #expect(others.isSubset(of: isWhole ? ["crash-cause"] : ["crash-cause", "torn-log"]))
    guard let culprit = row.culprit else { return }
    for entry in reading.accusing {
      #expect(entry.finding.culprit?.function.contains(culprit) == true)
    }
  }
}
