import IncidentModel
import Symbolication

/// The addresses of the symbols that a scan for tasks needs, from the files of modules: read before the process is stopped.
package struct ProcessSymbols {
  /// The symbols that the concurrency runtime has for debuggers, by their names, and the module that defines them.
  let runtime: (module: String, addresses: [String: UInt64])?
  /// The library of the runtime, if one is loaded that lacks these symbols.
  let libraryWithoutSymbols: String?
  /// Dispatch's main queue.
  let mainQueue: UInt64?

  private static let mainQueueName = "_dispatch_main_q"

  /// - Parameter symbolicator: finds the files of modules, which have the symbols of a runtime that is linked in.
  package init(_ modules: [Module], _ symbolicator: Symbolicator = Symbolicator()) {
    func first(_ part: String, _ names: [String]) -> (module: String, addresses: [String: UInt64])?
    {
      let library = modules.filter { $0.name.contains(part) }
      for module in library.isEmpty ? modules : library {
        let found = symbolicator.addresses(of: names, in: module)
        if found[names[0]] != nil { return (module.name, found) }
      }
      return nil
    }
    runtime = first("swift_Concurrency", ConcurrencyRuntime.names)
    libraryWithoutSymbols = modules.first { $0.name.contains("swift_Concurrency") }?.name
    mainQueue = first("dispatch", [Self.mainQueueName])?.addresses[Self.mainQueueName]
  }
}
