import Foundation
import IncidentModel

internal import CTestProcess

/// The code that is mapped into this process.
enum LoadedModules {
  static func all() -> [Module] {
    var capacity = 128
    while true {
      var count = 0
      let copies = [ms_loaded_module](unsafeUninitializedCapacity: capacity) { buffer, filled in
        count = ms_copy_loaded_modules(buffer.baseAddress, buffer.count)
        filled = min(count, buffer.count)
      }
      defer { for copy in copies { free(copy.path) } }
      // More may have been loaded than there was room for.
      guard count > capacity else { return copies.filter { $0.text_start != 0 }.map(Module.init) }
      capacity = count
    }
  }

  /// The file this process was started from.
  static let program =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
}

extension LoadedModules {
  fileprivate static func stampOfProgram() -> FileStamp? {
    var status = stat()
    return stat("/proc/self/exe", &status) == 0 ? FileStamp(status) : nil
  }
}

extension Module {
  fileprivate init(_ module: ms_loaded_module) {
    let path = module.path.map { String(cString: $0) } ?? ""
    let buildID = withUnsafeBytes(of: module.build_id) {
      Array($0.prefix(Int(module.build_id_size)))
    }
    let isBareProgram = path.isEmpty && buildID.isEmpty
    self.init(
      path: path.isEmpty ? LoadedModules.program : path, buildID: buildID,
      stamp: isBareProgram ? LoadedModules.stampOfProgram() : nil,
      loadBias: UInt64(module.bias), text: UInt64(module.text_start)..<UInt64(module.text_end))
  }
}
