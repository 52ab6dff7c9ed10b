import Glibc
import IncidentModel

/// Finds the files that were mapped when a core was dumped.
///
/// A file is used only if it matches the mapped one: the kernel writes the first page of each
/// mapped file to the core, with the ELF headers and the build id.
final class CoreFiles {
  /// The size of the file beginning that the kernel writes to the core.
  static let headSize = 4096

  private struct Known {
    var content: CoreBytes?
    var stamp: FileStamp?
  }

  private let sysroot: String?
  private let executable: String?
  private var known: [String: Known] = [:]
  /// The reasons why files could not be used, by path, as sentences for the user.
  private(set) var failures: [String: String] = [:]

  /// - Parameters:
  ///   - sysroot: the directory with the files of the core's machine.
  ///   - executable: the path of the executable, if it differs from the path in the core.
  init(sysroot: String?, executable: String?) {
    self.sysroot = sysroot
    self.executable = executable
  }

  /// - Parameter head: the file's first bytes according to the core.
  func file(at path: String, isProgram: Bool, head: () -> [UInt8]) -> CoreBytes? {
    if let file = known[path] { return file.content }
    let found = find(path, isProgram, head())
    known[path] = found
    return found.content
  }

  /// The stamp of the file at a path of the core; nil if the file is unknown.
  func stamp(of path: String) -> FileStamp? { known[path]?.stamp }

  private func find(_ path: String, _ isProgram: Bool, _ head: [UInt8]) -> Known {
    for place in places(path, isProgram) {
      guard let content = try? CoreBytes(path: place, name: place) else { continue }
      let start = [UInt8](unsafeUninitializedCapacity: head.count) { buffer, filled in
        filled = content.read(0, into: UnsafeMutableRawBufferPointer(buffer))
      }
      // The last page of a mapped file is padded with zeros.
      guard start.elementsEqual(head.prefix(start.count)) else {
        failures[path] =
          failures[path]
          ?? "\(place) is not the build that ran; \(Self.remedy(path, isProgram))"
        continue
      }
      if head.isEmpty {
        failures[path] =
          "the core has no bytes of \(path) to compare with \(place): crashscan assumes the same file"
      } else {
        failures[path] = nil
      }
      var status = stat()
      return Known(content: content, stamp: stat(place, &status) == 0 ? FileStamp(status) : nil)
    }
    failures[path] =
      failures[path]
      ?? "\(path) was not found, so stack walks stop at its frames; \(Self.remedy(path, isProgram))"
    return Known()
  }

  private static func remedy(_ path: String, _ isProgram: Bool) -> String {
    "pass \(isProgram ? "the file with --executable FILE, or " : "")a directory that contains \(path) with --sysroot DIR"
  }

  private func places(_ path: String, _ isProgram: Bool) -> [String] {
    guard path.hasPrefix("/") else { return [] }
    let given = isProgram ? [executable].compactMap(\.self) : []
    // With a sysroot, this machine's file at the same path may be another file.
    return given + [(sysroot ?? "") + path]
  }
}
