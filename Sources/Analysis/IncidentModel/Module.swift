/// A file that was mapped into the process as code.
package struct Module: Hashable, Sendable {
  package var path: String
  /// The linker's build id; empty where the file carries none.
  package var buildID: [UInt8]
  /// By what a file without a build id is known again where it ran, while nobody touches it.
  package var stamp: FileStamp?
  /// What to subtract from an address of the process to get an address of the file.
  package var loadBias: UInt64
  /// The addresses its code occupied.
  package var text: Range<UInt64>

  package init(
    path: String, buildID: [UInt8], stamp: FileStamp? = nil, loadBias: UInt64, text: Range<UInt64>
  ) {
    self.path = path
    self.buildID = buildID
    self.stamp = stamp
    self.loadBias = loadBias
    self.text = text
  }

  /// What tells its file from every other.
  package var identity: [UInt8] { buildID.isEmpty ? stamp?.bytes ?? [] : buildID }

  /// The file's own name, without its directories.
  package var name: String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// A module and since when it is known to have been there.
package struct SeenModule: Sendable {
  package var module: Module
  /// Nanoseconds of the monotonic clock.
  package var since: UInt64

  package init(module: Module, since: UInt64) {
    self.module = module
    self.since = since
  }
}
