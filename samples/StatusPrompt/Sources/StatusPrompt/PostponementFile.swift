import Foundation
import StatusModel

/// Remembers in a file that a user has postponed.
package final class PostponementFile: PostponementKeeping {
  private let file: URL

  package init(_ file: URL) { self.file = file }

  /// What was kept last; a file that cannot be read or written is as good as none: the user is asked.
  package var postponement: Postponement? {
    get {
      (try? Data(contentsOf: file)).flatMap {
        try? JSONDecoder().decode(Postponement.self, from: $0)
      }
    }
    set {
      guard let newValue else {
        try? FileManager.default.removeItem(at: file)
        return
      }
      try? JSONEncoder().encode(newValue).write(to: file, options: .atomic)
    }
  }
}
