import HeadlessUI

/// One article, which is scrolled, and left where it was read to.
final class ArticleController: ViewController, @unchecked Sendable {
  private let article: Article
  private let scroll = ScrollView()
  private let text = Label(lines: 0)
  private let start: Int
  private let onLeave: (Int) -> Void

  /// - Parameters:
  ///   - line: Where reading begins.
  ///   - onLeave: Called with the line that it was left at.
  init(_ article: Article, line: Int, onLeave: @escaping (Int) -> Void) {
    self.article = article
    start = line
    self.onLeave = onLeave
    super.init()
    title = article.title
  }

  override func makeView() -> View { ArticleView(scroll, text) }

  override func viewDidLoad() {
    text.text = article.text
    scroll.accessibilityLabel = "article"
    scroll.addSubview(text)
  }

  override func viewDidAppear() {
    view.layoutIfNeeded()
    scroll.contentOffset = scroll.limited(Point(y: start))
  }

  override func viewWillDisappear() { onLeave(scroll.contentOffset.y) }
}

/// A text as long as it is, in a view to scroll it.
private final class ArticleView: View, @unchecked Sendable {
  private let scroll: ScrollView
  private let text: Label

  init(_ scroll: ScrollView, _ text: Label) {
    self.scroll = scroll
    self.text = text
    super.init()
    addSubview(scroll)
  }

  override func layoutSubviews() {
    scroll.frame = contentBounds
    let height = text.sizeThatFits(Size(width: scroll.frame.width, height: 0)).height
    text.frame = Rect(x: 0, y: 0, width: scroll.frame.width, height: height)
    scroll.contentSize = text.frame.size
  }
}
