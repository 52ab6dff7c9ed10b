import Foundation
import Testing

@testable import Sites

@Suite struct SiteTests {
  private func decode(_ json: String) throws -> Site {
    try JSONDecoder().decode(Site.self, from: Data(json.utf8))
  }

  @Test func jsonBecomesASiteWithEachOfItsValues() throws {
    let site = try decode(
      """
      {"name": "Example", "url": "https://www.example.com/", "icon": "https://example.com/icon.svg",
       "description": "A site for examples"}
      """)
    #expect(site.name == "Example")
    #expect(site.url.url == URL(string: "https://www.example.com/"))
    #expect(site.icon.url == URL(string: "https://example.com/icon.svg"))
    #expect(site.description == "A site for examples")
  }

  @Test func whatTheEndpointAddsLaterIsPassedOver() throws {
    let site = try decode(
      #"{"name": "N", "url": "u", "icon": "i", "description": "d", "rank": 7}"#)
    #expect(site == Site(name: "N", url: "u", icon: "i", description: "d"))
  }

  @Test(arguments: ["name", "url", "icon", "description"])
  func aMissingValueIsAnError(key: String) throws {
    var values = ["name": "N", "url": "u", "icon": "i", "description": "d"]
    values[key] = nil
    let json = try JSONEncoder().encode(values)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Site.self, from: json) }
  }

  @Test func aMalformedAddressDoesNotSpoilTheSite() throws {
    let site = try decode(
      #"{"name": "N", "url": "http://no host/", "icon": "", "description": "d"}"#)
    #expect(site.url.text == "http://no host/")
    #expect(site.url.url == nil)
    #expect(site.icon.url == nil)
  }

  @Test func aSiteIsWrittenAsItWasRead() throws {
    for site in Samples.sites {
      let json = try JSONEncoder().encode(site)
      #expect(try JSONDecoder().decode(Site.self, from: json) == site)
    }
  }

  @Test(arguments: [
    "", " ", "swift.org", "/icon.png", "http://", "https:///icon.png", "ftp://a.example/",
    "file:///etc/passwd", "javascript:alert(1)", "http://a b/", "http://a.example/a b",
    "http://[::1/", "http://a.example:port/",
  ])
  func whatCannotBeAskedForIsNoAddress(text: String) {
    #expect(WebAddress(text).url == nil)
  }

  @Test(arguments: [
    "http://a.example", "HTTPS://a.example/a%20b?c=d#e", "http://127.0.0.1:8080/sites.json",
    "http://[::1]/",
  ])
  func whatCanBeAskedForIsAnAddress(text: String) {
    #expect(WebAddress(text).url != nil)
  }
}
