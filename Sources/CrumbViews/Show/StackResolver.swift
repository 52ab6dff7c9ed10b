import CrashAnalysis
import IncidentModel

/// Names for addresses, and why there are none.
package protocol FrameNaming: SymbolSource {
  /// Why a module's addresses have no names, or none with lines; nil where they do.
  mutating func shortcoming(of module: Module) -> String?
}

/// Names the frames of an incident's stacks, each stack once.
package struct StackResolver {
  private struct StackKey: Hashable {
    var stack: Stack
    var epoch: Int
  }

  private struct FrameKey: Hashable {
    var address: FrameAddress
    var epoch: Int
  }

  private var naming: any FrameNaming
  private var modules: [SeenModule] = []
  private var map = ModuleMap([])
  private var stacks = BoundedCache<StackKey, ResolvedStack>()
  private var frames = BoundedCache<FrameKey, ResolvedFrame>()
  /// The modules whose addresses came up, in the order they did.
  package private(set) var usedModules: [Module] = []
  private var known: Set<Module> = []

  package init(naming: any FrameNaming) { self.naming = naming }

  /// Takes over the modules of an incident, which a running process may have added to.
  package mutating func use(_ modules: [SeenModule]) {
    guard modules.count != self.modules.count else { return }
    self.modules = modules
    map = ModuleMap(modules)
    stacks.removeAll()
    frames.removeAll()
  }

  /// The stack with names, as the modules were at a time of the monotonic clock.
  package mutating func resolve(_ stack: Stack, when monotonic: UInt64) -> ResolvedStack {
    let epoch = epoch(at: monotonic)
    let key = StackKey(stack: stack, epoch: epoch)
    if let resolved = stacks[key] { return resolved }
    let resolved = ResolvedStack(
      frames: stack.frames.map { frame(at: $0, epoch: epoch, when: monotonic) }, end: stack.end)
    stacks.keep(resolved, for: key)
    return resolved
  }

  /// Why a module's addresses have no names, or none with lines; nil where they do.
  package mutating func shortcoming(of module: Module) -> String? {
    naming.shortcoming(of: module)
  }

  private mutating func frame(
    at address: FrameAddress, epoch: Int, when monotonic: UInt64
  ) -> ResolvedFrame {
    let key = FrameKey(address: address, epoch: epoch)
    if let resolved = frames[key] { return resolved }
    var resolved = ResolvedFrame(address: address, module: nil, functions: [])
    if let module = map.index(at: address.lookup, when: monotonic).map({ map[$0] }) {
      if known.insert(module).inserted { usedModules.append(module) }
      resolved.module = module
      resolved.functions = naming.frames(at: address, in: module)
    }
    frames.keep(resolved, for: key)
    return resolved
  }

  /// How many modules had been seen by then: what an address means changes only with that.
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
