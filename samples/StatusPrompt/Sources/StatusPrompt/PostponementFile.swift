import Foundation
import SampleSupport
import StatusModel

/// Remembers in a file that a user has postponed.
package final class PostponementFile: PostponementKeeping {
  private let file: JSONFile<Postponement>

  package init(_ file: URL) { self.file = JSONFile(file) }

  /// What was kept last; a file that cannot be read or written is as good as none: the user is asked.
  package var postponement: Postponement? {
    get { try? file.read() }
    set {
      if let newValue {
        try? file.write(newValue)
      } else {
        try? FileManager.default.removeItem(at: file.url)
      }
    }
  }
}
