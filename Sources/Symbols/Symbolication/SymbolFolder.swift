import Foundation

/// A directory or file with symbols, specified by the user. Files in the directory may have any name.
final class SymbolFolder {
  private let path: String
  /// The maximum number of files that are inspected.
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

  /// True if the first bytes of a file are those of an ELF file or a bundle.
  private func isWorthALook(_ path: String) -> Bool {
    guard let file = try? RegularFile(path: path) else { return false }
    return file.isModule || file.isBundle
  }
}
