import Foundation

/// Where the sources of the package are, so that no test counts folders.
public enum Repository {
  /// The folder with Package.swift.
  public static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while !FileManager.default.fileExists(
      atPath: folder.appendingPathComponent("Package.swift").path)
    {
      folder.deleteLastPathComponent()
    }
    return folder
  }()
}
