import CrashAnalysis
import IncidentModel

/// Names the frames of an incident's stacks, each stack once.
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

  /// Takes over the modules of an incident, which a running process may have added to.
  package mutating func use(_ modules: [SeenModule]) {
    if modules.count != self.modules.count { begin(modules) }
  }

  /// Takes the modules of another input, and the names that it gives its frames itself.
  package mutating func begin(_ modules: [SeenModule], _ names: FrameNames? = nil) {
    self.modules = modules
    resolver.begin(modules, names)
    stacks.removeAll()
    frames.removeAll()
  }

  /// The stack with names, as the modules were at a time of the monotonic clock.
  package mutating func resolve(_ stack: Stack, when monotonic: UInt64) -> ResolvedStack {
    let epoch = epoch(at: monotonic)
    let key = StackKey(stack: stack, epoch: epoch)
    if let resolved = stacks[key] { return resolved }
    let resolved = ResolvedStack(
      frames: stack.frames.map { frame(at: $0, when: monotonic) }, end: stack.end)
    stacks.keep(resolved, for: key)
    return resolved
  }

  /// The reason why a module's addresses have no names, or no lines; nil if they have both.
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

  /// The number of modules that were known at that time: the meaning of an address changes only with that
  /// number.
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
