import BackgroundLayout
import Testing

@Suite struct FeedTests {
  private let old = Article(id: 1, title: "Old", text: "")
  private let new = Article(id: 2, title: "New", text: "")

  @Test func theNewestArticleComesFirst() {
    var feed = Feed()
    #expect(feed.add([old, new]) == 2)
    #expect(feed.articles == [new, old])
  }

  @Test func anArticleThatComesAgainIsReplacedAndNotCounted() {
    var feed = Feed()
    feed.add([old])
    let corrected = Article(id: 1, title: "Corrected", text: "")
    #expect(feed.add([corrected, new]) == 1)
    #expect(feed.articles == [new, corrected])
  }

  @Test func onlyWhatWasOpenedIsRead() {
    var feed = Feed()
    feed.add([old, new])
    feed.markRead(old)
    #expect(feed.isRead(old))
    #expect(!feed.isRead(new))
    #expect(feed.unread == 1)
  }

  @Test func theSummarySaysWhatThereIsToRead() {
    var feed = Feed()
    #expect(feed.summary == "no articles")
    feed.add([old, new])
    #expect(feed.summary == "2 articles, 2 new")
    feed.markRead(old)
    feed.markRead(new)
    #expect(feed.summary == "2 articles, all read")
  }
}
