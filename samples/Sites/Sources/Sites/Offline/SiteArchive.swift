import Foundation
import ThreadAffinity

/// Keeps the last list of sites in a file; what is damaged counts as nothing.
final class SiteArchive: SiteKeeping {
  private static let name = "sites.json"

  private let archive: FileArchive
  private let queue = DispatchQueue(label: "sites.archive")

  /// Keeps the list in `archive`.
  init(archive: FileArchive) {
    self.archive = archive
  }

  func save(_ sites: [Site]) {
    queue.async { [archive] in
      guard let bytes = try? JSONEncoder().encode(sites) else { return }
      archive.save(bytes, as: Self.name)
    }
  }

  func load(_ completion: @escaping @MainActor ([Site]?) -> Void) {
    let answer = hop("saved sites", completion)
    queue.async { [archive] in
      let bytes = archive.bytes(of: Self.name)
      answer(bytes.flatMap { try? JSONDecoder().decode([Site].self, from: $0) })
    }
  }
}
