import IncidentModel
import Synchronization

/// A cache of parsed Swift sources, so that many findings in one file parse the file once.
final class SwiftFiles: Sendable {
  private struct State {
    var texts: [String: SwiftText?] = [:]
    var imports: [String: [Finding.Fix.Edit]] = [:]
    var kept = 0
  }

  static let shared = SwiftFiles()

  /// The limits of the cache: bytes of source, and number of files.
  private static let mostKept = 16 << 20, mostFiles = 1024

  private let state = Mutex(State())

  /// Returns the source at `path`; nil if it is not available or not that of the program, or if its
  /// brackets do not match.
  func text(at path: String) -> SwiftText? {
    guard let bytes = SourceFiles.shared.text(at: path)?.bytes else { return nil }
    if let known = state.withLock({ $0.texts[path] }) { return known }
    let text = SwiftText(bytes)
    state.withLock { state in
      if state.kept + bytes.count > Self.mostKept || state.texts.count >= Self.mostFiles {
        state = State()
      }
      state.kept += bytes.count
      state.texts[path] = .some(text)
    }
    return text
  }

  /// Returns the import that code with Dispatch calls needs; each file is searched once.
  func dispatchImport(
    of path: String, _ look: () -> [Finding.Fix.Edit]
  ) -> [Finding.Fix.Edit] {
    if let known = state.withLock({ $0.imports[path] }) { return known }
    let found = look()
    state.withLock { $0.imports[path] = found }
    return found
  }
}
