import CSymbols
import Glibc
import IncidentModel

extension Symbolicator {
  /// Returns the addresses of a module's symbols in the process, by name, from the richest file of the
  /// module's build.
  package func addresses(of names: [String], in module: Module) -> [String: UInt64] {
    guard let found = try? finder.find(module), let file = try? RegularFile(path: found.path)
    else { return [:] }
    return file.values(of: names).mapValues { $0 &+ module.loadBias }
  }
}

extension RegularFile {
  /// Returns the values of those symbols in `names` that the file defines.
  fileprivate func values(of names: [String]) -> [String: UInt64] {
    var values = [UInt64](repeating: 0, count: names.count)
    let texts = names.map { strdup($0) }
    defer { for text in texts { free(text) } }
    let pointers = texts.map { UnsafePointer<CChar>($0) }
    ms_symbols_find(descriptor, pointers, names.count, &values)
    return Dictionary(uniqueKeysWithValues: zip(names, values).filter { $0.1 != .max })
  }
}

extension Symbolicator {
  /// Returns the richest file of a module's build: the module itself or its debug file; nil if neither is usable, or
  /// if the symbols are in a bundle.
  package func symbolPath(of module: Module) -> String? {
    guard let found = try? finder.find(module), case .module = found.content else { return nil }
    return found.path
  }
}
