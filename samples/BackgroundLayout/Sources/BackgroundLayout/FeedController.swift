public import Foundation
public import HeadlessUI
import Synchronization
import ThreadAffinity

/// The list of articles. It saves and downloads on the way to the background, and hears of the end of
/// both on other queues.
public final class FeedController: ViewController, @unchecked Sendable {
  private let application: Application
  private let store: any PositionSaving
  private let server: URL
  private let table = TableView()
  private let status = Label("no articles")
  private let saved = ImageView(Image(name: "unsaved", rows: ["·"]))
  private var feed = Feed()
  private var positions: ReadingPositions
  private var observers: [any NSObjectProtocol] = []
  private let remedy: Remedy
  // Both refer to this object, and so are made after it.
  private lazy var updates = ScreenUpdates(to: self, remedy: remedy)
  private var download: ArticleDownload?
  private let answerCount = Atomic(0)

  /// The list of an application's articles.
  public init(
    application: Application, server: URL, store: any PositionSaving, remedy: Remedy
  ) {
    self.application = application
    self.server = server
    self.store = store
    self.remedy = remedy
    positions = store.load()
    super.init()
    title = "Articles"
  }

  /// A line of state above the list.
  public override func makeView() -> View {
    table.emptyText = "Nothing to read yet."
    let header = StackView(.horizontal, spacing: 1, [saved, status])
    let stack = StackView(.vertical, [header, table])
    stack.distribution = .fill
    return stack
  }

  /// Listens for the background, and shows the list.
  public override func viewDidLoad() {
    _ = updates
    download = ArticleDownload(from: server, delegate: self)
    saved.accessibilityLabel = "saved"
    status.accessibilityLabel = "status"
    table.dataSource = self
    table.delegate = self
    observe(ApplicationNotification.didEnterBackground) { screen in
      screen.updates.enterBackground()
      screen.savePositions()
    }
    observe(ApplicationNotification.willEnterForeground) { $0.updates.enterForeground(on: $0) }
  }

  private func observe(
    _ name: Notification.Name, _ body: @escaping @Sendable (FeedController) -> Void
  ) {
    observers.append(
      application.notifications.addObserver(forName: name, object: nil, queue: nil) {
        [weak self] _ in self.map(body)
      })
  }

  deinit {
    for observer in observers { application.notifications.removeObserver(observer) }
    download?.end()
  }

  /// How many answers have come so far, whether they are shown or not; from any queue.
  public var answers: Int { answerCount.load(ordering: .relaxed) }

  /// Downloads what is newer than the newest article.
  public func refresh() {
    application.note("a download begins")
    download?.start(after: feed.articles.first?.id ?? 0)
  }

  /// Goes on saving when the app is in the background, for which it asks for time.
  private func savePositions() {
    let application = application
    let task = application.beginBackgroundTask(withName: "save reading positions") {
      application.endBackgroundTask($0)
    }
    store.save(positions) { [weak self] result in
      self?.positionsWereSaved(result)
      application.endBackgroundTask(task)
    }
  }

  /// The store's answer, on the store's queue.
  private func positionsWereSaved(_ result: Result<Int, any Error>) {
    updates.perform(on: self) { screen in
      screen.showSaved((try? result.get()) != nil)
    }
    answerCount.add(1, ordering: .relaxed)
  }

  private func showSaved(_ isSaved: Bool) {
    uiWork("saved mark") {
      saved.image =
        isSaved ? Image(name: "saved", rows: ["✓"]) : Image(name: "not saved", rows: ["!"])
    }
  }

  private func show(_ articles: [Article]) {
    uiWork("article list") {
      let count = feed.add(articles)
      status.text = count == 0 ? "nothing new" : feed.summary
      table.reloadData()
    }
  }
}

extension FeedController: ArticleDownloadDelegate {
  /// The download's answer, on the session's queue.
  public func articleDownload(_ download: ArticleDownload, didFinishWith articles: [Article]) {
    updates.perform(on: self) { screen in screen.show(articles) }
    answerCount.add(1, ordering: .relaxed)
  }

  /// The download's failure, on the session's queue.
  public func articleDownload(_ download: ArticleDownload, didFailWith reason: String) {
    updates.perform(on: self) { screen in
      uiWork("failure") { screen.status.text = "offline: \(reason)" }
    }
    answerCount.add(1, ordering: .relaxed)
  }
}

extension FeedController: TableViewDataSource, TableViewDelegate {
  /// A row for each article.
  public func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    feed.articles.count
  }

  /// The headline, with a mark where it is new.
  public func tableView(
    _ tableView: TableView, cellForRowAt indexPath: IndexPath
  ) -> TableViewCell {
    let article = feed.articles[indexPath.row]
    let cell = tableView.dequeueReusableCell(withIdentifier: "article")
    cell.textLabel.text = "\(feed.isRead(article) ? "○" : "●") \(article.title)"
    return cell
  }

  /// Opens the article where it was left.
  public func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) {
    let article = feed.articles[indexPath.row]
    feed.markRead(article)
    status.text = feed.summary
    table.reloadRows(at: [indexPath])
    let reader = ArticleController(article, line: positions[article.id] ?? 0) { [weak self] in
      self?.positions[article.id] = $0
    }
    navigationController?.pushViewController(reader)
  }
}
