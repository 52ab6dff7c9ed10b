import Synchronization

/// Formats a stack as one field, newest frame first: a function's name if known, otherwise `module+offset`.
/// Frames of Mainstay become one word, consecutive equal frames appear once, and the outermost frames of
/// Dispatch and the system are omitted. Async callers follow last, after the words `awaited by`.
func stackField(_ frames: [UInt]) -> String {
  let callers = frames.firstIndex(where: StackWord.isAsyncCaller) ?? frames.endIndex
  let names = shortened(frames[..<callers])
  let waiting = shortened(frames[callers...], isAfterOthers: true)
  let room = mostFrames - min(waiting.count, fewestCallers)
  let text = list(names, upTo: room)
  if waiting.isEmpty { return text }
  return text + ", awaited by " + list(waiting, upTo: mostFrames - min(names.count, room))
}

private func list(_ names: [String], upTo room: Int) -> String {
  names.prefix(room).joined(separator: " < ") + (names.count > room ? " < …" : "")
}

/// The names of the informative frames, up to a maximum. At least one name is returned, unless other frames
/// precede these.
private func shortened(_ frames: ArraySlice<UInt>, isAfterOthers: Bool = false) -> [String] {
  var names: [String] = []
  for name in frames.lazy.map(FrameNames.name) where !isThunk(name) && name != names.last {
    names.append(name)
    if names.count > mostFrames { break }
  }
  let fewest = isAfterOthers ? 0 : 1
  while let last = names.last, names.count > fewest, runsAnything(last) { names.removeLast() }
  return names
}

// Outer frames rarely justify a longer line; the crumb contains the whole stack.
private let mostFrames = 16
// The number of async callers that are included even if the stack is deep.
private let fewestCallers = 4

private func isThunk(_ name: String) -> Bool {
  ["reabstraction thunk", "partial apply forwarder"].contains { name.hasPrefix($0) }
}

/// True if a function belongs to the outermost frames of every thread, or completes a task.
private func runsAnything(_ name: String) -> Bool {
  [
    "_dispatch_", "start_thread", "__clone", "__libc_start", "_start", "libc.so", "libdispatch.so",
    "swift_job_run", "_ZN5swift", "libswift_Concurrency.so",
  ].contains { name.hasPrefix($0) } || (name.hasPrefix("_Z") && name.contains("completeTask"))
}

/// A cache of frame names, because each lookup is expensive.
private enum FrameNames {
  /// The replacement for frames of this module.
  static let own = "(mainstay)"

  private static let known = Mutex<[UInt: String]>([:])
  private static let mostKnown = 4096

  static func name(of frame: UInt) -> String {
    if let name = known.withLock({ $0[frame] }) { return name }
    let name = find(frame)
    known.withLock { known in
      if known.count >= mostKnown { known.removeAll() }
      known[frame] = name
    }
    return name
  }

  private static func find(_ frame: UInt) -> String {
    guard let code = FrameCode(of: frame) else {
      return "0x" + String(StackWord.address(of: frame), radix: 16)
    }
    guard let symbol = code.symbol else {
      let module = code.module.split(separator: "/").last ?? "?"
      return "\(module)+0x" + String(code.offset, radix: 16)
    }
    if symbol.hasPrefix("$s14ThreadAffinity") { return own }
    return code.function.map(ShortName.of) ?? symbol
  }
}
