/// One site, exactly as the endpoint describes it.
public struct Site: Codable, Hashable, Sendable {
  /// What the site is called.
  public let name: String
  /// Where it is.
  public let url: WebAddress
  /// Where its image is.
  public let icon: WebAddress
  /// What it is about.
  public let description: String

  /// A site, as the endpoint would describe it.
  public init(name: String, url: WebAddress, icon: WebAddress, description: String) {
    self.name = name
    self.url = url
    self.icon = icon
    self.description = description
  }
}
