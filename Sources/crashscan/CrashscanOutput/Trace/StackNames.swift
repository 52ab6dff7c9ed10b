import CrashAnalysis
import DeathRecords
import IncidentModel

/// A symbolicated frame, as traces show it.
struct NamedFrame: Hashable {
  let function: String
  let file: String?
  let line: Int?
  let column: Int?
  /// The function and its line: `show(_:) at Board.swift:12`.
  let described: String

  init(function: String, file: String? = nil, line: Int? = nil, column: Int? = nil) {
    self.function = function
    self.file = file
    self.line = line
    self.column = column
    let name = file?.split(separator: "/").last.map(String.init)
    described = function + (name.map { " at \($0)" + (line.map { ":\($0)" } ?? "") } ?? "")
  }
}

/// Symbolicates stacks for traces, without the recorder's frames.
struct StackNames {
  private var resolver: StackResolver
  /// Resolved stacks, by identity; each entry retains its stack, so that the identity is not reused.
  private var known = BoundedCache<ObjectIdentifier, (stack: ResolvedStack, frames: [NamedFrame])>()

  init(_ resolver: StackResolver) { self.resolver = resolver }

  /// Sets the modules and frame names of another input.
  mutating func begin(_ source: any EventSource) { resolver.begin(source.modules, source.names) }

  /// Returns the frames of a stack, innermost first, with inlined frames expanded.
  mutating func frames(_ stack: [FrameAddress], when monotonic: UInt64) -> [NamedFrame] {
    let resolved = resolver.resolve(Stack(frames: stack, end: .complete), when: monotonic)
    if let (_, frames) = known[ObjectIdentifier(resolved)] { return frames }
    let frames = named(resolved)
    known.keep((resolved, frames), for: ObjectIdentifier(resolved))
    return frames
  }

  private func named(_ stack: ResolvedStack) -> [NamedFrame] {
    stack.frames.dropFirst(stack.ownFrameCount).flatMap { frame in
      let functions = frame.functions.dropFirst(frame.ownFunctionCount)
      return functions.isEmpty
        ? [NamedFrame(function: frame.nameless)] : functions.map { NamedFrame($0) }
    }
  }
}

extension NamedFrame {
  fileprivate init(_ source: SourceFrame) {
    self.init(
      function: readableFunction(source.function), file: source.file, line: source.line,
      column: source.column)
  }
}
