import Dispatch
import ThreadAffinity

// Compiled in Swift 5 mode: nothing here is `Sendable`, and nobody thought of actors.

/// A screen as it was written years ago.
final class OldScreen {
  var title = ""
  var rows: [Int] = []
  var wasAlwaysOnMain = true

  func show(_ row: Int) {
    rows.append(row)
    wasAlwaysOnMain = wasAlwaysOnMain && MainQueue.isCurrent
  }
}

/// A loader that calls back from wherever it is.
final class OldLoader {
  var completion: ((String, Error?) -> Void)?
  var progress: ((Int) -> Void)?

  func load() {
    DispatchQueue.global().async {
      for row in 1...100 { self.progress?(row) }
      self.completion?("loaded", nil)
    }
  }
}

/// Loads through hops, and says on the main queue what came of it.
public func loadAsOldCodeDoes(_ done: @escaping (String) -> Void) {
  let screen = OldScreen()
  let loader = OldLoader()
  let rows = MainHop(screen, "rows")
  loader.progress = { row in rows.send { $0.show(row) } }
  loader.completion = hop("title") { (title: String, error: Error?) in
    screen.title = title
    screen.wasAlwaysOnMain = screen.wasAlwaysOnMain && expectMainQueue("title")
    let isOrdered = screen.rows == Array(1...100)
    done("\(screen.title) \(screen.wasAlwaysOnMain) \(isOrdered)")
  }
  loader.load()
}
