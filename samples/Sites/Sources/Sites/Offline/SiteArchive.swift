import Foundation
import ThreadAffinity

/// Keeps the last list of sites for when the endpoint cannot be reached.
public final class SiteArchive: Sendable {
  private static let name = "sites.json"

  private let archive: FileArchive
  private let queue = DispatchQueue(label: "sites.archive")

  /// Keeps the list in `archive`.
  public init(archive: FileArchive) {
    self.archive = archive
  }

  /// Keeps `sites` in place of those kept before; a later `load` sees them.
  public func save(_ sites: [Site]) {
    queue.async { [archive] in
      guard let bytes = try? JSONEncoder().encode(sites) else { return }
      archive.save(bytes, as: Self.name)
    }
  }

  /// Reads what was kept, and answers on the main queue: nil if there is nothing, or it is damaged.
  public func load(_ completion: @escaping @MainActor ([Site]?) -> Void) {
    let answer = hop("saved sites", completion)
    queue.async { [archive] in
      let bytes = archive.bytes(of: Self.name)
      answer(bytes.flatMap { try? JSONDecoder().decode([Site].self, from: $0) })
    }
  }
}
