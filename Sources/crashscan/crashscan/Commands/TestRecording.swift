import ProcessReading

/// A recording by a preloaded library in each test bundle of `crashscan test`.
enum TestRecording {
  private static let log = "recording"

  /// Sets the environment of the commands that this process starts, so that the library writes a log
  /// of each test bundle to the directory.
  static func begin(
    _ library: String, logsIn directory: String
  ) throws(CommandFailure) {
    Preloading.setEnvironment(
      [try PreloadedFile.path(of: library)], log: "\(directory)/\(log).log",
      asked: ["CHILDREN": "1", "BUNDLES": "1"])
  }

  /// The logs that test bundles wrote in the directory.
  static func logs(in directory: String) -> [String] {
    ProcessFiles.names(in: directory).filter { $0.hasPrefix("\(log)-") }.sorted()
      .map { "\(directory)/\($0)" }
  }
}
