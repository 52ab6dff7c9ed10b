import AffinityTesting
import Foundation
import HeadlessUI
import Synchronization
import Testing

@testable import Browser

@MainActor
@Suite(.affinityChecked) struct IndexControllerTests {
  /// A cell that counts how many were made of it.
  private final class CountedCell: TableViewCell, @unchecked Sendable {
    static let made = Mutex(0)

    required init(reuseIdentifier: String) {
      super.init(reuseIdentifier: reuseIdentifier)
      Self.made.withLock { $0 += 1 }
    }
  }

  private let window: Window

  // Said in words, so that it is made on the main queue.
  init() { window = Window(size: Size(width: 24, height: 12)) }

  @Test func aVeryLongListMakesAsManyCellsAsFitOnTheScreen() {
    let index = IndexController((0..<10_000).map { "word \($0)" }) { _ in }
    index.table.register(CountedCell.self, forCellReuseIdentifier: "word")
    window.rootViewController = index
    window.layoutIfNeeded()
    var seen = 0
    for start in Swift.stride(from: 0, to: 10_000, by: 500) {
      index.table.contentOffset = Point(y: start)
      if window.renderedText().contains("│word \(start) ") { seen += 1 }
    }
    #expect(seen == 20)
    #expect(CountedCell.made.withLock { $0 } == 10)
  }

  @Test func aTapOpensTheWord() {
    var opened: [Int] = []
    let index = IndexController(["a", "b"]) { opened.append($0) }
    window.rootViewController = index
    index.table.selectRow(at: IndexPath(row: 1))
    #expect(opened == [1])
  }

  @Test func anEmptyIndexSaysSo() {
    window.rootViewController = IndexController([]) { _ in }
    #expect(window.renderedText().contains("Nothing to look up."))
  }
}
