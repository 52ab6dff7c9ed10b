import Foundation

internal import CTestProcess

/// A code file that is mapped into this process.
package struct LoadedModule: Sendable {
  package let path: String
  /// The build id; empty if the file has none.
  package let buildID: [UInt8]
  /// The difference between an address in the process and the same address in the file.
  package let loadBias: UInt64
  package let text: Range<UInt64>
}

/// The code modules of this process.
package enum LoadedModules {
  package static func all() -> [LoadedModule] {
    var capacity = 128
    while true {
      var count = 0
      let copies = [ms_loaded_module](unsafeUninitializedCapacity: capacity) { buffer, filled in
        count = ms_copy_loaded_modules(buffer.baseAddress, buffer.count)
        filled = min(count, buffer.count)
      }
      defer { for copy in copies { free(copy.path) } }
      // If modules were loaded meanwhile, the buffer was too small.
      guard count > capacity else {
        return copies.filter { $0.text_start != 0 }.map(LoadedModule.init)
      }
      capacity = count
    }
  }

  /// The path of this program's executable.
  package static let program =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
}

extension LoadedModule {
  fileprivate init(_ module: ms_loaded_module) {
    let path = module.path.map { String(cString: $0) } ?? ""
    self.init(
      path: path.isEmpty ? LoadedModules.program : path,
      buildID: withUnsafeBytes(of: module.build_id) {
        Array($0.prefix(Int(module.build_id_size)))
      },
      loadBias: UInt64(module.bias), text: UInt64(module.text_start)..<UInt64(module.text_end))
  }

  /// The file status of the program; nil for other modules, and if the program has a build id.
  package var programStatus: stat? {
    var status = stat()
    guard buildID.isEmpty, path == LoadedModules.program, stat("/proc/self/exe", &status) == 0
    else { return nil }
    return status
  }

  /// The identity of this build of the file: the build id, or else the inode, the size and the
  /// modification time of the program's file.
  var identity: [UInt8] {
    guard let status = programStatus else { return buildID }
    return withUnsafeBytes(
      of: (status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    ) { Array($0) }
  }
}
