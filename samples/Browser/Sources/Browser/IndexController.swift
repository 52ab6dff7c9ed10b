import Foundation
import HeadlessUI

/// A very long list, in a table whose cells are used again: there are as many as fit on the screen, and
/// not as many as there are rows.
package final class IndexController: ViewController, @unchecked Sendable {
  private let words: [String]
  private let onSelect: (Int) -> Void
  /// What it shows them in.
  package let table = TableView()

  package init(_ words: [String], onSelect: @escaping (Int) -> Void) {
    self.words = words
    self.onSelect = onSelect
    super.init()
    title = "Index"
  }

  package override func makeView() -> View { table }

  package override func viewDidLoad() {
    table.emptyText = "Nothing to look up."
    table.dataSource = self
    table.delegate = self
  }
}

extension IndexController: TableViewDataSource, TableViewDelegate {
  /// A row for each word.
  package func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    words.count
  }

  /// The word, in a cell that another word has left.
  package func tableView(
    _ tableView: TableView, cellForRowAt indexPath: IndexPath
  ) -> TableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "word")
    cell.textLabel.text = words[indexPath.row]
    return cell
  }

  /// Opens the word.
  package func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) {
    onSelect(indexPath.row)
  }
}
