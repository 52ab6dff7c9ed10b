import Glibc
import ReportTrials
import Testing

/// Reports that others published, and what each shows; they are not part of the project.
@Suite struct CorpusTests {
  /// A row of the corpus's own table.
  struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    let path: String
    let kind: String
    let showsOffMain: Bool
    let place: String
    let story: String

    var testDescription: String { file }

    /// The formats that a kind may be read as: one recorder's form is another's too.
    var formats: Set<String> {
      switch kind {
      case "apple-crash-text-in-ips": ["apple-crash"]
      case "sentry-json": ["sentry-json", "kscrash-json", "metrickit"]
      default: [kind]
      }
    }
  }

  private static let directory =
    getenv("REPORT_CORPUS").map { String(cString: $0) }
    ?? #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/../shared/corpus"

  static let rows: [Row] = {
    let table = String(decoding: Scratch.bytes(of: directory + "/INDEX.md"), as: UTF8.self)
    let rows = table.split(separator: "\n").compactMap(row)
    if rows.isEmpty { print("corpus: there is none at \(directory); its tests are skipped") }
    return rows
  }()

  private static func row(_ line: Substring) -> Row? {
    let cells = line.split(separator: "|").map { cell in
      String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard cells.count == 6, cells[3] == "yes" || cells[3] == "no" || cells[3] == "n/a" else {
      return nil
    }
    return Row(
      file: cells[0], path: "\(directory)/\(cells[0])", kind: cells[1],
      showsOffMain: cells[3] == "yes", place: cells[4], story: cells[5])
  }

  @Test(arguments: rows) func isReadAsItsRowSays(_ row: Row) throws {
    let reading = ReportReading(path: row.path)
    if row.kind == "apple-ips-other" {
      #expect(reading.failure?.contains("kernel panic") == true)
      return
    }
    #expect(reading.failure == nil)
    let recording = try #require(reading.recordings.first)
    #expect(row.formats.contains(recording.format))
    #expect(reading.accusations.isEmpty == !row.showsOffMain)
    let parts = row.place.split(separator: " ").map(String.init)
    if let number = parts.first.flatMap({ Int($0) }) { #expect(recording.thread?.index == number) }
    if let queue = parts.last, queue.hasPrefix("com."), parts.count == 3 {
      #expect(recording.queue == queue)
    }
    guard row.showsOffMain, let culprit = row.story.firstRange(of: "culprit ") else { return }
    let named = row.story[culprit.upperBound...].split(separator: ",")[0]
    let words = named.hasPrefix("the block of ") ? named.dropFirst("the block of ".count) : named
    for entry in reading.accusing {
      #expect(entry.finding.culprit?.function.contains(words) == true)
    }
  }
}
