import CrashAnalysis
import IncidentModel

/// Symbolicates the stacks of an incident, each stack once.
package struct StackResolver {
  private struct StackKey: Hashable {
    var stack: Stack
    var epoch: Int
  }

  private var resolver: FrameResolver
  private var modules: [SeenModule] = []
  private var stacks = BoundedCache<StackKey, ResolvedStack>()
  private var frames = BoundedCache<FrameResolver.Place, ResolvedFrame>()
  /// The modules of resolved addresses, in the order of their first use.
  package private(set) var usedModules: [Module] = []
  private var known: Set<Module> = []

  package init(symbols: (any SymbolSource)?) { resolver = FrameResolver(symbols: symbols) }

  /// Sets the modules of an incident, to which a running process may have added some.
  package mutating func use(_ modules: [SeenModule]) {
    if modules.count != self.modules.count { begin(modules) }
  }

  /// Sets the modules of another input, and the frame names that the input itself contains.
  package mutating func begin(_ modules: [SeenModule], _ names: FrameNames? = nil) {
    self.modules = modules
    resolver.begin(modules, names)
    stacks.removeAll()
    frames.removeAll()
  }

  /// Returns the symbolicated stack, with the modules at a time of the monotonic clock.
  package mutating func resolve(_ stack: Stack, when monotonic: UInt64) -> ResolvedStack {
    let epoch = epoch(at: monotonic)
    let key = StackKey(stack: stack, epoch: epoch)
    if let resolved = stacks[key] { return resolved }
    let resolved = ResolvedStack(
      frames: stack.frames.map { frame(at: $0, when: monotonic) }, end: stack.end)
    stacks.keep(resolved, for: key)
    return resolved
  }

  /// Returns the reason why a module has no symbols, or no line numbers; nil if it has both.
  package mutating func shortcoming(of module: Module) -> String? {
    resolver.shortcoming(of: module)
  }

  private mutating func frame(
    at address: FrameAddress, when monotonic: UInt64
  ) -> ResolvedFrame {
    let place = resolver.place(of: address, when: monotonic)
    if let resolved = frames[place] { return resolved }
    let resolved = resolver.frame(at: place)
    if let module = resolved.module, known.insert(module).inserted { usedModules.append(module) }
    frames.keep(resolved, for: place)
    return resolved
  }

  /// Returns the number of modules that were known at that time: an address can change its meaning
  /// only when a module is added.
  private func epoch(at monotonic: UInt64) -> Int {
    var low = 0
    var high = modules.count
    while low < high {
      let middle = (low + high) / 2
      if modules[middle].since <= monotonic { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
