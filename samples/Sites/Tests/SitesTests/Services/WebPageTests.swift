import Foundation
import Testing

@testable import Sites

@Suite struct WebPageTests {
  private let address = URL(string: "http://a.example/folder/page.html")!

  private func page(_ html: String) throws -> WebPage {
    try #require(WebPage(html: Data(html.utf8), at: address))
  }

  @Test func aPageIsWhatAPersonReads() throws {
    let page = try page(
      """
      <!DOCTYPE html><html><head><title> A  page </title><style>p { color: red }</style></head>
      <body><h1>Head</h1><p>One <b>bold</b>
      line<br>and another</p><script>alert("no")</script>
      <ul><li>first</li><li>second</li></ul><pre>as  it
        stands</pre></body></html>
      """)
    #expect(page.title == "A page")
    #expect(
      page.blocks == [
        .init(kind: .heading, text: "Head"),
        .init(kind: .paragraph, text: "One bold line\nand another"),
        .init(kind: .listItem, text: "first"), .init(kind: .listItem, text: "second"),
        .init(kind: .preformatted, text: "as  it\n  stands"),
      ])
  }

  @Test func linksAreNumberedAndLeadSomewhere() throws {
    let page = try page(
      """
      <p>See <a href="../other.html">this</a>, <a href="https://b.example/">that</a>,
      <a href="javascript:alert(1)">no</a> and <a>nothing</a>.</p>
      """)
    #expect(page.blocks.map(\.text) == ["See this [1], that [2], no and nothing."])
    #expect(
      page.links.map(\.absoluteString) == ["http://a.example/other.html", "https://b.example/"])
  }

  @Test func brokenHTMLIsReadAsFarAsItGoes() throws {
    #expect(try page("<p>open <b>bold<p>next").blocks.map(\.text) == ["open bold", "next"])
    #expect(try page("just text").blocks.map(\.text) == ["just text"])
  }

  @Test func nothingIsNoPage() {
    #expect(WebPage(html: Data(), at: address) == nil)
  }

  @Test func aPageNestedDeeperThanAStackIsRead() throws {
    let deep = String(repeating: "<div>", count: 100_000) + "deep"
    #expect(WebPage(html: Data(deep.utf8), at: address) != nil)
  }

  @Test func namedEntitiesAndOtherEncodingsAreRead() throws {
    #expect(try page("<p>&auml; &lt; &#x263A;</p>").blocks.map(\.text) == ["ä < ☺"])
    let latin = Data("<meta charset=\"iso-8859-1\"><p>".utf8) + Data([0xE4])
    #expect(try #require(WebPage(html: latin, at: address)).blocks.map(\.text) == ["ä"])
    #expect(try page("<p>Сайт</p>").blocks.map(\.text) == ["Сайт"])
  }
}
