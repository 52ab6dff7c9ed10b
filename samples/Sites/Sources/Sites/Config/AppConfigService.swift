import Foundation

/// Reads the app's property list, and gives the other services its values.
public struct AppConfigService: Sendable {
  /// Where the sites are asked for.
  let endpoint: URL
  /// How long an answer may take, in seconds.
  let timeout: TimeInterval
  /// Whether a tapped site opens inside the app, and not in the system's browser.
  let opensSitesInApp: Bool
  /// How many bytes of images are kept for when the endpoint cannot be reached.
  let imageCacheBytes: Int

  /// Reads the list that comes with the app.
  public init() throws(ConfigError) {
    try self.init(contentsOf: Bundle.module.bundleURL.appending(path: "Resources/Config.plist"))
  }

  /// Reads a property list; the endpoint must be there, all else has a default.
  public init(contentsOf file: URL) throws(ConfigError) {
    guard let data = try? Data(contentsOf: file) else { throw .unreadable(file.lastPathComponent) }
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    guard let values = list as? [String: Any] else {
      throw .notAPropertyList(file.lastPathComponent)
    }
    endpoint = try Self.address("APIEndpoint", in: values)
    timeout = try Self.value("RequestTimeout", in: values, or: 10, where: { $0 > 0 })
    opensSitesInApp = try Self.value("OpensSitesInApp", in: values, or: true, where: { _ in true })
    imageCacheBytes = try Self.value(
      "ImageCacheBytes", in: values, or: 4 << 20, where: { $0 >= 0 })
  }

  private static func address(_ key: String, in values: [String: Any]) throws(ConfigError) -> URL {
    guard let value = values[key] else { throw .missing(key) }
    guard let text = value as? String, let url = WebAddress(text).url else {
      throw .unusable(key, "\(value)")
    }
    return url
  }

  private static func value<Value>(
    _ key: String, in values: [String: Any], or fallback: Value, where isUsable: (Value) -> Bool
  ) throws(ConfigError) -> Value {
    guard let value = values[key] else { return fallback }
    guard let value = value as? Value, isUsable(value) else { throw .unusable(key, "\(value)") }
    return value
  }
}
