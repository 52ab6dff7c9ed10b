/// One site, exactly as the endpoint describes it.
struct Site: Codable, Hashable, Sendable {
  /// What the site is called.
  let name: String
  /// Where it is.
  let url: WebAddress
  /// Where its image is.
  let icon: WebAddress
  /// What it is about.
  let description: String

  /// A site, as the endpoint would describe it.
  init(name: String, url: WebAddress, icon: WebAddress, description: String) {
    self.name = name
    self.url = url
    self.icon = icon
    self.description = description
  }
}
