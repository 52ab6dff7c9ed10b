// The program of docs/audit.md, with a place of each rank.
import Feed

@MainActor final class Model {
  var count = 0

  func refresh(_ feed: Feed) {
    feed.load { self.count = $0 }
    feed.each { self.count += $0 }
  }
}

extension Model: @preconcurrency FeedDelegate {
  func feedDidEnd(_ count: Int) { self.count = count }
}

@main struct App {
  static func main() { Model().refresh(Feed()) }
}
