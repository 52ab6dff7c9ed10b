import Foundation
import Testing

@testable import Sites

@Suite struct AppConfigServiceTests {
  private let folder = ScratchFolder()

  @Test func theListThatComesWithTheAppCanBeRead() throws {
    let config = try AppConfigService()
    #expect(config.endpoint.path == "/sites.json")
    #expect(config.timeout == 10)
    #expect(config.opensSitesInApp)
    #expect(config.imageCacheBytes == 4 << 20)
  }

  @Test func itsValuesAreWhatTheServicesGet() throws {
    let config = try Samples.config([
      "APIEndpoint": "https://a.example/s", "RequestTimeout": 2.5, "OpensSitesInApp": false,
      "ImageCacheBytes": 1000,
    ])
    #expect(config.endpoint == URL(string: "https://a.example/s"))
    #expect(config.timeout == 2.5)
    #expect(!config.opensSitesInApp)
    #expect(config.imageCacheBytes == 1000)
  }

  @Test func theEndpointMustBeThereAndAllElseHasADefault() throws {
    #expect(try Samples.config().timeout == 10)
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["RequestTimeout": 5], format: .binary, options: 0)
    let file = try folder.file("Config.plist", list)
    #expect(throws: ConfigError.missing("APIEndpoint")) {
      try AppConfigService(contentsOf: file)
    }
  }

  @Test func whatIsOfNoUseIsNamed() {
    #expect(throws: ConfigError.unusable("APIEndpoint", "no address")) {
      try Samples.config(["APIEndpoint": "no address"])
    }
    #expect(throws: ConfigError.unusable("RequestTimeout", "soon")) {
      try Samples.config(["RequestTimeout": "soon"])
    }
    #expect(throws: ConfigError.unusable("ImageCacheBytes", "-1")) {
      try Samples.config(["ImageCacheBytes": -1])
    }
  }

  @Test func aFileThatIsNoneOrSomethingElseIsSaid() throws {
    #expect(throws: ConfigError.unreadable("Missing.plist")) {
      try AppConfigService(contentsOf: folder.url.appending(path: "Missing.plist"))
    }
    for content in ["", "<plist><dict><key>", "[1, 2"] {
      let file = try folder.file("Broken.plist", Data(content.utf8))
      #expect(throws: ConfigError.notAPropertyList("Broken.plist")) {
        try AppConfigService(contentsOf: file)
      }
    }
  }
}
