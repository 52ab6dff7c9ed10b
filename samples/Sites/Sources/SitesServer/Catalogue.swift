import Foundation
import LoopbackHTTP

/// The sites that the server knows, with good and bad addresses among them.
public enum Catalogue {
  /// A site as the list has it; an address that begins with "/" is the server's own.
  public struct Entry: Codable, Sendable {
    var name: String
    var url: String
    var icon: String
    var description: String

    /// A site of these values.
    public init(name: String, url: String, icon: String, description: String) {
      self.name = name
      self.url = url
      self.icon = icon
      self.description = description
    }
  }

  static let entries = [
    Entry(
      name: "Tide tables", url: "/tides", icon: "/icons/wave.svg",
      description: "High and low water for every harbour of the coast"),
    Entry(
      name: "Moon", url: "/moon", icon: "/icons/moon.png",
      description: "Phases, and when to look up"),
    Entry(
      name: "almanac", url: "/almanac", icon: "/icons/sun.jpg",
      description: "Sunrise, sunset, and what to sow"),
    Entry(
      name: "Night trains", url: "/trains", icon: "not an address",
      description: "Its icon's address is malformed"),
    Entry(
      name: "Old press", url: "htp:/nowhere", icon: "/icons/none.svg",
      description: "Its icon is gone, and its own address malformed"),
    Entry(
      name: "Zoo", url: "/zoo", icon: "/icons/broken.png",
      description: "Its icon is a page about an error"),
  ]

  static func served(_ entries: [Entry], at base: URL) -> [Entry] {
    entries.map { entry in
      Entry(
        name: entry.name, url: absolute(entry.url, base), icon: absolute(entry.icon, base),
        description: entry.description)
    }
  }

  private static func absolute(_ address: String, _ base: URL) -> String {
    guard address.hasPrefix("/") else { return address }
    return base.appendingPathComponent(String(address.dropFirst())).absoluteString
  }

  static let icons: [String: HTTPResponse] = [
    "/icons/wave.svg": .text(Pictures.wave, type: "image/svg+xml"),
    "/icons/moon.png": HTTPResponse(
      headers: ["Content-Type": "image/png"], body: Data(Pictures.moon)),
    "/icons/sun.jpg": HTTPResponse(
      headers: ["Content-Type": "image/jpeg"], body: Data(Pictures.sun)),
    "/icons/broken.png": .text("<html><body>Error</body></html>", type: "image/png"),
  ]

  static let pages: [String: String] = [
    "/tides": """
    <!DOCTYPE html><html><head><title>Tide tables</title></head><body><h1>Today</h1>
    <ul><li>05:12 high water</li><li>11:26 low water</li></ul>
    <p>The <a href="/moon">moon</a> makes them.</p></body></html>
    """,
    "/moon": """
    <html><head><title>Moon</title></head><body><p>Waxing. Back to the
    <a href="tides">tides</a>.</p></body></html>
    """,
    "/almanac": "<title>Almanac</title><p>Sow beans.</p>",
    "/zoo": "<title>Zoo</title><p>Closed on Mondays.</p>",
  ]
}
