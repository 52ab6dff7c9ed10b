import CrashAnalysis
import IncidentModel
import Testing

@testable import CrashscanOutput

/// What a page keeps of a recording that is larger than a page should be.
@Suite struct TimelineColumnTests {
  /// Notes with one violation near the beginning, in batches as a source makes them.
  private func columns(of count: Int, _ bounds: TimelineColumns.Bounds) -> TimelineColumns {
    let crumbs = (0..<count).map { (number: Int) -> Crumb in
      Crumb(
        monotonic: UInt64(10 * number), wall: UInt64(10 * number), thread: 1,
        number: UInt32(number), queue: nil, onMain: .no, kind: number == 3 ? .violation : .note,
        level: .info, category: "c", message: "note \(number)",
        data: [(key: "n", value: .integer(Int64(number)))], stack: nil, hop: nil,
        isMessageCut: false, isDataCut: false, isInterrupting: false)
    }
    let source = MadeUpEvents(crumbs)
    let batch = EventBatch(queues: source.queues)
    var columns = TimelineColumns(bounds)
    while source.next(into: batch) { columns.append(batch) }
    columns.settle()
    return columns
  }

  @Test func whatFitsIsKeptWhole() {
    let columns = columns(of: 5000, TimelineColumns.Bounds())
    #expect(columns.count == 5000)
    #expect(columns.left == 0)
    #expect(String(decoding: columns.texts.message(at: 4999), as: UTF8.self) == "note 4999")
    #expect(columns.texts.data(at: 4999).map(\.value) == [.integer(4999)])
  }

  @Test func theOldestNotesGoFirstAndTheStoryStays() {
    var bounds = TimelineColumns.Bounds()
    bounds.events = 1000
    let columns = columns(of: 20_000, bounds)
    #expect(columns.count == 1000)
    #expect(columns.left == 19_000)
    #expect(columns.kind[0] == .violation)
    #expect(columns.place.first == 3)
    #expect(columns.place.last == 19_999)
    #expect(columns.place.dropFirst().first == 19_001)
    #expect(columns.index(ofPlace: 3) == 0)
    #expect(columns.index(ofPlace: 4) == nil)
    #expect(String(decoding: columns.texts.message(at: 999), as: UTF8.self) == "note 19999")
  }

  @Test func textsAreBoundedToo() {
    var bounds = TimelineColumns.Bounds()
    bounds.bytes = 4000
    let columns = columns(of: 20_000, bounds)
    #expect(columns.texts.size <= 4000)
    #expect(columns.count > 50)
    #expect(columns.place.last == 19_999)
  }

  @Test func oneLongTextIsCutAndSaysSo() {
    var bounds = TimelineColumns.Bounds()
    bounds.bytesOfOne = 4
    let columns = columns(of: 1, bounds)
    #expect(String(decoding: columns.texts.message(at: 0), as: UTF8.self) == "note")
    #expect(columns.texts.isCut(at: 0))
  }
}
