/// A code file that was mapped into the process.
package struct Module: Hashable, Sendable {
  package var path: String
  /// The linker's build id; empty if the file has none.
  package var buildID: [UInt8]
  /// The stamp of a file without a build id, which identifies the unchanged file on its host.
  package var stamp: FileStamp?
  /// The difference between an address in the process and the same address in the file.
  package var loadBias: UInt64
  /// The address range of the module's code.
  package var text: Range<UInt64>
  /// The path of the copy of the file that a run kept beside its log; nil without a copy.
  package var keptCopy: String?

  package init(
    path: String, buildID: [UInt8], stamp: FileStamp? = nil, loadBias: UInt64, text: Range<UInt64>
  ) {
    self.path = path
    self.buildID = buildID
    self.stamp = stamp
    self.loadBias = loadBias
    self.text = text
  }

  /// The identity of the module's file.
  package var identity: [UInt8] { buildID.isEmpty ? stamp?.bytes ?? [] : buildID }

  /// True for a library of the system, by its path.
  package var isOfTheSystem: Bool { Self.isOfTheSystem(path: path) }

  /// True for the runtime libraries of a Swift toolchain, whose internal functions have no symbols.
  package var isOfTheToolchain: Bool { path.contains("/usr/lib/swift/") }

  package static func isOfTheSystem(path: String) -> Bool {
    systemDirectories.contains { path.hasPrefix($0) } || path == kernelLibrary
  }

  /// The library that the kernel maps into each process, which is no file.
  private static let kernelLibrary = "linux-vdso.so.1"
  private static let systemDirectories = ["/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"]

  /// The file name of the module, without directories.
  package var name: String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// A module and the time since which it is known to be loaded.
package struct SeenModule: Sendable {
  package var module: Module
  /// The time of the first record, in nanoseconds of the monotonic clock.
  package var since: UInt64

  package init(module: Module, since: UInt64) {
    self.module = module
    self.since = since
  }
}
