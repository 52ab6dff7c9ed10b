import Foundation
import FoundationNetworking
import Synchronization

@testable import Sites

/// What tests show and ask for.
enum Samples {
  static let sites = [
    Site(
      name: "Swift", url: "https://www.swift.org/", icon: "https://swift.org/icon.svg",
      description: "The language"),
    Site(
      name: "ärger", url: "https://a.example/", icon: "not an address", description: "Umlauts sort"),
    Site(
      name: "Debian 12", url: "ftp:no host", icon: "https://debian.org/icon.png",
      description: "A system"),
    Site(name: "Debian 9", url: "http://b.example/", icon: "", description: "An older one"),
  ]

  static func json(_ sites: [Site]) -> Data { try! JSONEncoder().encode(sites) }

  /// A property list with an endpoint and whatever else.
  static func config(_ values: [String: Any] = [:]) throws -> AppConfigService {
    let folder = ScratchFolder()
    let all = ["APIEndpoint": "http://sites.example/sites.json"].merging(values) { $1 }
    let list = try PropertyListSerialization.data(fromPropertyList: all, format: .xml, options: 0)
    return try AppConfigService(contentsOf: folder.file("Config.plist", list))
  }

  static func response(_ url: URL?, status: Int = 200) -> HTTPURLResponse {
    HTTPURLResponse(
      url: url ?? URL(string: "http://sites.example")!, statusCode: status, httpVersion: "HTTP/1.1",
      headerFields: nil)!
  }
}
