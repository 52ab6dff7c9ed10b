import AffinityTesting
import Dispatch
import Synchronization
import ThreadAffinity

/// A list whose rows are handed from item to item as it scrolls, and which loads a picture for each.
///
/// Its bug: a picture that comes late is put into a row that shows another item by then.
final class PictureList: Sendable {
  private struct Row {
    var item: Int
    var picture: Int?
  }

  typealias Load = @Sendable (Int, _ completion: @escaping @Sendable (Int) -> Void) -> Void

  private let isFixed: Bool
  private let load: Load
  private let rows = Mutex<[Row]>([])

  init(isFixed: Bool, rows count: Int = 3, load: @escaping Load) {
    self.isFixed = isFixed
    self.load = load
    rows.withLock { $0 = (0..<count).map { Row(item: $0) } }
    for index in 0..<count { loadPicture(of: index, at: index) }
  }

  /// The row that leaves at the top comes back at the bottom, with the next item.
  func scroll() {
    requireMainQueue()
    let (item, index) = rows.withLock { rows in
      let next = (rows.map(\.item).max() ?? 0) + 1
      let index = next % rows.count
      rows[index] = Row(item: next)
      return (next, index)
    }
    loadPicture(of: item, at: index)
  }

  private func loadPicture(of item: Int, at index: Int) {
    load(item) { picture in
      DispatchQueue.main.async {
        expectMainQueue("row")
        self.rows.withLock { rows in
          if self.isFixed, rows[index].item != item { return }
          rows[index].picture = picture
        }
      }
    }
  }

  var showsOnlyItsOwn: Bool {
    rows.withLock { $0.allSatisfy { $0.picture == nil || $0.picture == $0.item } }
  }

  static func storm(isFixed: Bool) -> CallbackStorm.Body {
    { scenario in
      let pictures = scenario.completions("picture")
      let list = PictureList(isFixed: isFixed) { item, completion in
        pictures.add { completion(item) }
      }
      scenario.action("scroll") { list.scroll() }
      scenario.check("each row shows its own picture") { list.showsOnlyItsOwn }
    }
  }
}
