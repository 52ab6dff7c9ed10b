/// The articles that are there, the newest first, and which of them were read.
public struct Feed: Sendable, Hashable {
  /// All articles, the newest first.
  public private(set) var articles: [Article] = []
  private var read: Set<Int> = []

  /// A feed without articles.
  public init() {}

  /// How many articles nobody has read.
  public var unread: Int { articles.count { !read.contains($0.id) } }

  /// Whether an article was read.
  public func isRead(_ article: Article) -> Bool { read.contains(article.id) }

  /// Notes that an article was read.
  public mutating func markRead(_ article: Article) { read.insert(article.id) }

  /// Takes articles in; one that is there already is replaced.
  ///
  /// - Returns: How many were not there.
  @discardableResult
  public mutating func add(_ arrivals: [Article]) -> Int {
    let before = articles.count
    var byID = Dictionary(uniqueKeysWithValues: articles.map { ($0.id, $0) })
    for article in arrivals { byID[article.id] = article }
    articles = byID.values.sorted { $0.id > $1.id }
    return articles.count - before
  }

  /// The feed in a few words.
  public var summary: String {
    switch (articles.count, unread) {
    case (0, _): "no articles"
    case (let all, 0): "\(all) articles, all read"
    case (let all, let unread): "\(all) articles, \(unread) new"
    }
  }
}
