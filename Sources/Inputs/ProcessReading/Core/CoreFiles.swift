import Glibc
import IncidentModel

/// The files that were mapped when a core was dumped, where they are now.
///
/// A file is used only if it is the one that was mapped: the core keeps the first page of each, which holds the ELF headers
/// and the build id.
final class CoreFiles {
  /// How much of a file the kernel keeps in the core.
  static let headSize = 4096

  private struct Known {
    var content: CoreBytes?
    var stamp: FileStamp?
  }

  private let sysroot: String?
  private let executable: String?
  private var known: [String: Known] = [:]
  /// Files that could not be used and the reasons: sentences for the reader, by the files' paths.
  private(set) var failures: [String: String] = [:]

  /// - Parameters:
  ///   - sysroot: the directory below which the files of the core's machine are.
  ///   - executable: the path of the program's own file.
  init(sysroot: String?, executable: String?) {
    self.sysroot = sysroot
    self.executable = executable
  }

  /// - Parameter head: the bytes that the core has of the file's beginning.
  func file(at path: String, isProgram: Bool, head: () -> [UInt8]) -> CoreBytes? {
    if let file = known[path] { return file.content }
    let found = find(path, isProgram, head())
    known[path] = found
    return found.content
  }

  /// The stamp of the file for a path of the core; nil if there is no such file.
  func stamp(of path: String) -> FileStamp? { known[path]?.stamp }

  private func find(_ path: String, _ isProgram: Bool, _ head: [UInt8]) -> Known {
    for place in places(path, isProgram) {
      guard let content = try? CoreBytes(path: place, name: place) else { continue }
      let start = [UInt8](unsafeUninitializedCapacity: head.count) { buffer, filled in
        filled = content.read(0, into: UnsafeMutableRawBufferPointer(buffer))
      }
      // The file's last page is mapped with zeros behind its end.
      guard start.elementsEqual(head.prefix(start.count)) else {
        failures[path] = failures[path] ?? "\(place) is another build than the one that ran"
        continue
      }
      if head.isEmpty {
        failures[path] =
          "the core has nothing of \(path) to compare \(place) with: it was taken for the same"
      } else {
        failures[path] = nil
      }
      var status = stat()
      return Known(content: content, stamp: stat(place, &status) == 0 ? FileStamp(status) : nil)
    }
    failures[path] =
      failures[path]
      ?? "\(path) is not here, and stacks end in it: \(isProgram ? "--executable FILE or " : "")--sysroot DIR"
    return Known()
  }

  private func places(_ path: String, _ isProgram: Bool) -> [String] {
    guard path.hasPrefix("/") else { return [] }
    let given = isProgram ? [executable].compactMap(\.self) : []
    // With a sysroot, the same path of this machine is another machine's file.
    return given + [(sysroot ?? "") + path]
  }
}
