import Foundation

/// A place where the user says symbols are, and the files in it, whatever they are called.
final class SymbolFolder {
  private let path: String
  /// More are not looked into.
  private static let most = 4096

  /// The file itself, or the files in the directory, without those in subdirectories.
  private(set) lazy var paths = look()

  init(path: String) { self.path = path }

  private func look() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    guard !names.isEmpty else { return [path] }
    return names.sorted().filter { !$0.hasPrefix(".") }.prefix(Self.most)
      .map { "\(path)/\($0)" }.filter(isWorthALook)
  }

  /// A file that says by its first bytes that it may be of use.
  private func isWorthALook(_ path: String) -> Bool {
    guard let file = try? RegularFile(path: path) else { return false }
    return file.isModule || file.isBundle
  }
}
