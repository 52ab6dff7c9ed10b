import IncidentModel

/// The modules that were asked for names and had none, each with the reason.
final class UnnamedModules {
  /// By the modules' file names.
  private(set) var reasons: [String: String] = [:]
  private var seen: Set<Module> = []

  func knows(_ module: Module) -> Bool { seen.contains(module) }

  /// - Parameter reason: nil where it is the address alone that has no name.
  func add(_ module: Module, reason: String?) {
    seen.insert(module)
    reasons[module.name] = reasons[module.name] ?? reason
  }
}
