import IncidentModel
import Symbolication

/// The addresses of the symbols that a task scan needs. They are read from module files before the
/// process is stopped.
package struct ProcessSymbols {
  /// The debugger symbols of the concurrency runtime by name, and the module that defines them.
  let runtime: (module: String, addresses: [String: UInt64])?
  /// The loaded library of the concurrency runtime, if the library has no debugger symbols.
  let libraryWithoutSymbols: String?
  /// The address of Dispatch's main queue.
  let mainQueue: UInt64?

  private let modules: [Module]
  private let symbolicator: Symbolicator

  private static let mainQueueName = "_dispatch_main_q"

  /// - Parameter symbolicator: finds the files of modules, for the symbols of a statically
  ///   linked runtime.
  package init(_ modules: [Module], _ symbolicator: Symbolicator = Symbolicator()) {
    self.modules = modules
    self.symbolicator = symbolicator
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

  /// A function that returns true if a task with this stack may wait for a checked continuation,
  /// according to the nearest functions.
  func checkedContinuations() -> (Stack) -> Bool {
    var symbolicator = symbolicator
    return { stack in
      stack.frames.prefix(Self.nearest).contains { address in
        guard let module = modules.first(where: { $0.text.contains(address.lookup) }) else {
          return false
        }
        return symbolicator.frames(at: address, in: module).contains {
          $0.function.contains("withChecked")
        }
      }
    }
  }

  /// The number of functions between the wait and the program's own code.
  private static let nearest = 3
}
