import CrashAnalysis
import DeathRecords
import IncidentModel
import TextOutput

/// Writes stacks below their crumbs.
struct StackListing {
  private let layout: TextLayout
  private let isVerbose: Bool
  private var resolver: StackResolver
  private var written = BoundedCache<ObjectIdentifier, (stack: ResolvedStack, text: VisibleText)>()
  private var judged: Set<Module> = []

  init(layout: TextLayout, isVerbose: Bool, resolver: StackResolver) {
    self.layout = layout
    self.isVerbose = isVerbose
    self.resolver = resolver
  }

  mutating func use(_ modules: [SeenModule]) { resolver.use(modules) }

  mutating func text(of stack: Stack, when monotonic: UInt64) -> VisibleText {
    let resolved = resolver.resolve(stack, when: monotonic)
    if let (_, text) = written[ObjectIdentifier(resolved)] { return text }
    let text = lines(resolved).map { "      \($0)\n" as VisibleText }.joined(by: "")
    written.keep((resolved, text), for: ObjectIdentifier(resolved))
    return text
  }

  /// Returns the reason for missing names or lines of each module that occurred, once per module.
  mutating func shortcomings() -> VisibleText {
    var text = VisibleText()
    for module in resolver.usedModules where judged.insert(module).inserted {
      guard let shortcoming = resolver.shortcoming(of: module) else { continue }
      text += layout.palette("frames of \(module.path): \(shortcoming)", .caution) + "\n"
    }
    return text
  }

  private func lines(_ stack: ResolvedStack) -> [VisibleText] {
    let skipped = isVerbose ? 0 : stack.ownFrameCount
    var lines: [VisibleText] = []
    var repeats = 0
    for (index, frame) in stack.frames.enumerated().dropFirst(skipped) {
      // An infinite recursion would repeat the same line hundreds of times.
      if index > skipped, frame.address.recorded == stack.frames[index - 1].address.recorded {
        repeats += 1
        continue
      }
      lines += again(&repeats)
      if begins(frame, in: stack, at: index) {
        lines.append(layout.palette("     awaited by", .quiet))
      }
      let number = "\(index - skipped)" as VisibleText
      let first = isVerbose ? 0 : frame.ownFunctionCount
      let functions = frame.functions[first...]
      if functions.isEmpty {
        lines.append(numbered(number, place(frame)))
      }
      for (function, position) in zip(functions, 0...) {
        lines.append(numbered(position == 0 ? number : "", line(function, frame)))
      }
    }
    return lines + again(&repeats) + [ending(stack)].compactMap { $0 }
  }

  /// True if the async callers begin with this frame.
  private func begins(_ frame: ResolvedFrame, in stack: ResolvedStack, at index: Int) -> Bool {
    frame.address.isAsyncCaller
      && (index == 0 || !stack.frames[index - 1].address.isAsyncCaller)
  }

  private func again(_ repeats: inout Int) -> [VisibleText] {
    defer { repeats = 0 }
    guard repeats > 0 else { return [] }
    let count: VisibleText = repeats == 1 ? "once more" : "\(repeats) times more"
    return [layout.palette("     … the same " + count, .quiet)]
  }

  private func numbered(_ number: VisibleText, _ text: VisibleText) -> VisibleText {
    layout.palette(number.rightAligned(to: 3), .quiet) + "  " + text
  }

  private func line(_ function: SourceFrame, _ frame: ResolvedFrame) -> VisibleText {
    var line = layout.palette("\(function.function)", .function)
    if function.isInlined { line += layout.palette(" [inlined]", .quiet) }
    if let file = function.file {
      var place: VisibleText = "\(layout.path(file))"
      if let number = function.line { place += ":\(number)" }
      line += " at " + layout.palette(place, .place)
    }
    guard !function.isInlined else { return line }
    return line + layout.palette(" in \(isVerbose ? place(frame) : moduleName(frame))", .quiet)
  }

  private func moduleName(_ frame: ResolvedFrame) -> VisibleText { "\(frame.module?.name ?? "?")" }

  private func place(_ frame: ResolvedFrame) -> VisibleText {
    "\(frame.nameless)" + (frame.module == nil ? ", in no known module" : "")
  }

  private func ending(_ stack: ResolvedStack) -> VisibleText? {
    let words: VisibleText? =
      switch stack.end {
      case .complete: nil
      case .limit: "… more frames follow; the record was full"
      case .noRule: "… the walk ended here: no unwind rule for this frame"
      case .badStack: "… the walk ended here: the next frame lies outside the stack"
      case .unavailable: "… no stack: no unwinder was available"
      case .badCallers: "… the async callers end here: the record of the next caller is missing"
      }
    return words.map { layout.palette("     " + $0, .caution) }
  }
}
