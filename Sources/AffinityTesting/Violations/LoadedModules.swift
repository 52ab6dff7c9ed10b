import Foundation
import IncidentModel

internal import CTestProcess

/// The code that is mapped into this process.
enum LoadedModules {
  static func all() -> [Module] {
    var modules: [Module] = []
    withUnsafeMutablePointer(to: &modules) { list in
      ms_each_loaded_module(
        { context, module in
          context!.assumingMemoryBound(to: [Module].self).pointee.append(Module(module!.pointee))
        }, list)
    }
    return modules
  }

  /// The file this process was started from.
  static let program =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
}

extension Module {
  fileprivate init(_ module: ms_loaded_module) {
    let path = String(cString: module.path)
    self.init(
      path: path.isEmpty ? LoadedModules.program : path,
      buildID: Array(
        UnsafeBufferPointer(start: module.build_id, count: Int(module.build_id_size))),
      loadBias: UInt64(module.bias), text: UInt64(module.text_start)..<UInt64(module.text_end))
  }
}
