import IncidentModel

/// Identifies a crash within one build of a program, with or without the names of functions.
enum BuildFingerprint {
  /// The maximum number of frames that count, innermost first.
  private static let mostFrames = 8

  /// Returns a hash of the signal, and of the build and offset of each of the innermost frames outside
  /// the runtime and the system's libraries; nil if no such frame is known.
  static func of(_ crash: Crash, in modules: ModuleMap) -> String? {
    guard let stack = crash.thread?.stack else { return nil }
    var hash = StableHash()
    hash.add(SignalName.of(crash.signal))
    var frames = 0
    for frame in stack.frames where frames < mostFrames {
      guard let index = modules.index(at: frame.lookup, when: crash.monotonic),
        case let module = modules[index], isOfProgram(module)
      else { continue }
      hash.add(module.identity.map { String($0, radix: 16) }.joined(separator: " "))
      hash.add(String(frame.recorded &- module.loadBias, radix: 16))
      frames += 1
    }
    return frames > 0 ? hash.hexadecimal : nil
  }

  private static func isOfProgram(_ module: Module) -> Bool {
    !module.identity.isEmpty && module.path.hasPrefix("/") && !module.isOfTheSystem
      && !module.path.hasPrefix("/memfd:") && !FrameClassifier.isRuntime(module.name)
  }
}
