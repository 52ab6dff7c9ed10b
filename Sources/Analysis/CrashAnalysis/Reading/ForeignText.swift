import IncidentModel

extension RunState {
  /// Returns the recorded crash without a message of Swift's runtime that another thread caused; nil
  /// if the process did not crash.
  ///
  /// The runtime has one buffer for the whole process, and several threads may crash at once.
  var recordedCrash: Crash? {
    guard var crash = source.crash else { return nil }
    guard isRecording, !crash.texts.isEmpty, let thread = crash.thread else { return crash }
    let frames = frames(of: thread.stack, when: crash.monotonic)
    crash.texts.removeAll { text in
      guard case .swift(let said) = text else { return false }
      if Self.isTrapOfDispatch(frames) { return true }
      guard let place = MessagePlace(said), frames.contains(where: { $0.place.line != nil }),
        !frames.contains(where: { place.isIn($0.place.file) })
      else { return false }
      return crash.otherThreads.contains { other in
        self.frames(of: other.stack, when: crash.monotonic).contains {
          place.isIn($0.place.file) && $0.place.line == place.line
        }
      }
    }
    return crash
  }

  /// True if Dispatch ended the process, which on Linux writes no message.
  private static func isTrapOfDispatch(_ frames: [Frame]) -> Bool {
    guard let place = frames.first(where: \.isNamed)?.place else { return false }
    return place.module.hasPrefix("libdispatch") || place.function.hasPrefix("__DISPATCH_")
      || place.function.hasPrefix("_dispatch_assert")
  }
}

/// The position at the start of a message: `Shop/Cart.swift:8: Fatal error: …`.
private struct MessagePlace {
  let file: Substring
  let line: Int

  init?(_ message: String) {
    let fields = message.split(separator: ":", maxSplits: 2)
    guard fields.count == 3, let line = Int(fields[1]),
      let file = fields[0].split(separator: "/").last, file.hasSuffix(".swift")
    else { return nil }
    self.file = file
    self.line = line
  }

  func isIn(_ path: String?) -> Bool { path?.split(separator: "/").last == file }
}
