import CrashAnalysis
import IncidentModel

/// A frame of a stack as traces name it.
struct NamedFrame: Hashable {
  let function: String
  let file: String?
  let line: Int?
  let column: Int?
  /// `show(_:) at Board.swift:12`
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

/// Names the frames of stacks, by an input's own names or by its modules; without the recorder's own.
struct StackNames {
  private var resolver: StackResolver
  private var names: FrameNames?
  /// Stacks that came up before, with what keeps their identity from being given to others.
  private var known = BoundedCache<ObjectIdentifier, (stack: ResolvedStack, frames: [NamedFrame])>()

  init(_ resolver: StackResolver) { self.resolver = resolver }

  /// Takes the modules and the names of another input.
  mutating func begin(_ source: any EventSource) {
    // It tells sets of modules apart by their size.
    resolver.use([])
    resolver.use(source.modules)
    names = source.names
  }

  /// The frames of a stack, innermost first, those that inlining has put together apart.
  mutating func frames(_ stack: [FrameAddress], when monotonic: UInt64) -> [NamedFrame] {
    if let names {
      return stack.map { address in
        names[address].map { NamedFrame($0.source) }
          ?? NamedFrame(function: hexadecimal(address.recorded))
      }
    }
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
        ? [NamedFrame(function: place(frame))] : functions.map { NamedFrame($0) }
    }
  }

  private func place(_ frame: ResolvedFrame) -> String {
    guard let module = frame.module, let offset = frame.offset else {
      return hexadecimal(frame.address.recorded)
    }
    return "\(module.name)+\(hexadecimal(offset))"
  }

  private func hexadecimal(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }
}

extension NamedFrame {
  fileprivate init(_ source: SourceFrame) {
    self.init(
      function: readableFunction(source.function), file: source.file, line: source.line,
      column: source.column)
  }
}
