import Glibc
import IncidentModel

/// A module and the range of all its addresses, beginning at its headers.
struct MappedModule: Sendable {
  var module: Module
  var extent: Range<UInt64>
}

/// Finds the modules among mapped files and reads each module's headers from memory.
struct ModuleMap {
  private let image: any MemoryImage
  /// Returns the stamp of the mapped file; nil if it is unknown.
  private let stamp: (FileMapping) -> FileStamp?

  init(of image: any MemoryImage, stamp: @escaping (FileMapping) -> FileStamp?) {
    self.image = image
    self.stamp = stamp
  }

  /// The modules of `mappings`, which must be in ascending order.
  func modules(_ mappings: [FileMapping]) -> [MappedModule] {
    var modules: [MappedModule] = []
    var first = 0
    while first < mappings.count {
      var next = first + 1
      // The parts of a module are adjacent; a second mapping of the same module begins again at
      // offset 0.
      while next < mappings.count, continues(mappings[next], mappings[first], mappings[next - 1]) {
        next += 1
      }
      if let module = module(mappings[first..<next]) { modules.append(module) }
      first = next
    }
    return modules
  }

  private func continues(_ part: FileMapping, _ head: FileMapping, _ last: FileMapping) -> Bool {
    if part.region.path == head.region.path {
      return part.offset > 0 && part.inode == head.inode
    }
    // A module's zeroed memory is anonymous and directly follows one of the module's parts.
    return part.region.path.isEmpty && part.region.range.lowerBound == last.region.range.upperBound
  }

  private func module(_ parts: ArraySlice<FileMapping>) -> MappedModule? {
    guard let head = parts.first, !head.region.path.isEmpty, head.offset == 0,
      parts.contains(where: \.region.isExecutable),
      let headers = ELFHeaders(at: head.region.range.lowerBound, in: image)
    else { return nil }
    let buildID = headers.buildID(in: image) ?? []
    let module = Module(
      path: head.path, buildID: buildID, stamp: buildID.isEmpty ? stamp(head) : nil,
      loadBias: headers.loadBias, text: headers.text)
    return MappedModule(module: module, extent: headers.extent)
  }
}
