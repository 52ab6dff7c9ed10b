import AffinityTesting
import Foundation
import Testing

@testable import HeadlessUI

@MainActor
@Suite(.affinityChecked) struct TableViewTests {
  /// Rows of text, and a list of what the table asked for.
  private final class Rows: TableViewDataSource, TableViewDelegate {
    var texts: [String]
    var asked: [Int] = []
    var title: String?
    var ended: [Int] = []

    init(_ count: Int) { texts = (0..<count).map { "row \($0)" } }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
      texts.count
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
      asked.append(indexPath.row)
      let cell = tableView.dequeueReusableCell(withIdentifier: "row")
      cell.textLabel.text = texts[indexPath.row]
      return cell
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
      title
    }

    func tableView(
      _ tableView: TableView, didEndDisplaying cell: TableViewCell, forRowAt indexPath: IndexPath
    ) {
      ended.append(indexPath.row)
    }
  }

  private let rows = Rows(30)
  private let table = TableView()
  private let window = Window(size: Size(width: 20, height: 7))

  init() {
    table.delegate = rows
    table.dataSource = rows
    window.addSubview(table)
    window.layoutIfNeeded()
  }

  @Test func onlyRowsOnTheScreenHaveCells() {
    #expect(table.indexPathsForVisibleRows.map(\.row) == [0, 1, 2, 3, 4])
    #expect(rows.asked == [0, 1, 2, 3, 4])
  }

  @Test func aCellThatLeavesTheScreenIsUsedAgain() {
    let first = table.cellForRow(at: IndexPath(row: 0))
    table.drag(by: Point(y: 1))
    window.layoutIfNeeded()
    #expect(rows.ended == [0])
    #expect(table.cellForRow(at: IndexPath(row: 5)) === first)
    #expect(window.renderedText().contains("│row 5"))
  }

  @Test func reloadingARowAsksForItAlone() {
    rows.asked = []
    rows.texts[2] = "changed"
    table.reloadRows(at: [IndexPath(row: 2)])
    window.layoutIfNeeded()
    #expect(rows.asked == [2])
    #expect(window.renderedText().contains("│changed"))
  }

  @Test func insertedAndDeletedRowsLeaveOtherCellsAlone() {
    let second = table.cellForRow(at: IndexPath(row: 1))
    rows.texts.insert("new", at: 0)
    table.insertRows(at: [IndexPath(row: 0)])
    window.layoutIfNeeded()
    #expect(table.cellForRow(at: IndexPath(row: 2)) === second)
    #expect(window.renderedText().contains("│new               │\n│row 0"))
    rows.texts.removeFirst()
    table.deleteRows(at: [IndexPath(row: 0)])
    window.layoutIfNeeded()
    #expect(table.cellForRow(at: IndexPath(row: 1)) === second)
    #expect(window.renderedText().contains("┐\n│row 0"))
  }

  @Test func aHeaderStandsAboveItsRowsAndTheLayoutComesToRest() {
    rows.title = "All rows"
    table.reloadData()
    #expect(window.renderedText().contains("┐\n│All rows          │\n│row 0"))
    window.layoutIfNeeded()
    #expect(!table.needsLayout)
  }

  @Test func scrollingStopsAtTheEnds() {
    table.drag(by: Point(y: 100))
    #expect(table.contentOffset == Point(y: 25))
    table.drag(by: Point(y: -100))
    #expect(table.contentOffset == .zero)
    table.scrollToRow(at: IndexPath(row: 9))
    #expect(table.contentOffset == Point(y: 5))
  }
}
