import CrashAnalysis
import IncidentModel
import TextOutput

/// Writes crumbs, stacks and modules in Sentry's format.
extension JSONWriter {
  package mutating func sentry(_ crumb: Crumb, _ thread: IncidentThread?) {
    object {
      $0.member("timestamp", WallTime(nanoseconds: crumb.wall).iso8601)
      $0.member("type", crumb.sentryType)
      $0.member("category", crumb.sentryCategory)
      $0.member("level", crumb.level == .notice ? "info" : crumb.level.name)
      $0.member("message", crumb.message)
      $0.key("data")
      $0.object { json in
        json.member("thread", thread.map { "\($0.kernelID) \($0.name)" } ?? "\(crumb.thread)")
        json.member("queue", crumb.queue?.label)
        if let state = crumb.sentryState { json.member("state", state) }
        for (key, value) in crumb.dataBesidesStacks {
          json.key(key)
          json.value(value.description)
        }
      }
    }
  }

  /// Writes the mechanism by which a signal became an exception.
  package mutating func sentryMechanism(_ crash: Crash) {
    key("mechanism")
    object {
      $0.member("type", "signalhandler")
      $0.member("handled", false)
      $0.key("meta")
      $0.object { json in
        json.key("signal")
        json.object { signal in
          signal.member("number", crash.signal)
          signal.member("code", crash.code)
          signal.member("name", SignalName.of(crash.signal))
        }
      }
    }
  }

  /// Writes a thread.
  ///
  /// - Parameter stack: The stack; nil if it is written elsewhere.
  package mutating func sentry(
    _ thread: CrashThread, _ stack: ResolvedStack?, of process: Incident.Process?, hasCrashed: Bool
  ) {
    beginObject()
    member("id", thread.kernelID)
    member("name", thread.queue?.label ?? thread.name)
    member("crashed", hasCrashed)
    member("current", hasCrashed)
    member("main", thread.kernelID == process?.id)
    if let stack { sentry(stack, of: process?.executable) }
    endObject()
  }

  /// Writes a stack in Sentry's order: outermost frame first, with a frame for every inlined
  /// function.
  package mutating func sentry(_ stack: ResolvedStack, of program: String?) {
    guard stack.frames.count > stack.ownFrameCount else { return }
    key("stacktrace")
    object { json in
      let frames = stack.frames.dropFirst(stack.ownFrameCount)
      json.key("frames")
      json.array(frames.reversed()) { json, frame in
        let isOwn = frame.module?.path == program
        if frame.functions.isEmpty { json.sentryFrame(frame, nil, isOwn: isOwn) }
        for function in frame.functions.dropFirst(frame.ownFunctionCount).reversed() {
          json.sentryFrame(frame, function, isOwn: isOwn)
        }
      }
      json.member(
        "instruction_addr_adjustment",
        frames.first?.address.isInstruction == true ? "all_but_first" : "all")
    }
  }

  /// Writes the images. Sentry looks up an image by its build id, and rejects images without one.
  package mutating func sentryImages(_ modules: [Module]) {
    key("debug_meta")
    object { json in
      json.key("images")
      json.array(modules.filter { !$0.buildID.isEmpty }) { json, module in
        json.object { json in
          json.member("type", "elf")
          json.member("code_file", module.path)
          json.member("code_id", module.buildID.map(twoDigits).joined())
          json.member("debug_id", debugID(module.buildID))
          json.member("image_addr", hexadecimal(module.loadBias))
          json.member("image_size", module.text.upperBound &- module.loadBias)
        }
      }
    }
  }

  private mutating func sentryFrame(
    _ frame: ResolvedFrame, _ function: SourceFrame?, isOwn: Bool
  ) {
    object { json in
      json.member("function", function?.function)
      if let function, function.mangledName != function.function {
        json.member("raw_function", function.mangledName)
      }
      json.member("package", frame.module?.path)
      json.member("instruction_addr", hexadecimal(frame.address.afterCall))
      if let file = function?.file {
        json.member("abs_path", file)
        json.member("filename", file.split(separator: "/").last.map(String.init) ?? file)
        json.member("lineno", function?.line)
      }
      json.member("in_app", isOwn)
    }
  }
}

/// Returns a build id in Sentry's format: a UUID whose first three fields are little-endian.
private func debugID(_ buildID: [UInt8]) -> String {
  let bytes = Array((buildID + [UInt8](repeating: 0, count: 16)).prefix(16))
  let fields = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
  return fields.enumerated().map { place, field in
    (place < 3 ? Array(field.reversed()) : Array(field)).map(twoDigits).joined()
  }.joined(separator: "-")
}

extension FrameAddress {
  fileprivate var isInstruction: Bool {
    if case .instruction = self { true } else { false }
  }

  /// The address for Sentry, which subtracts one from each address except the innermost before the
  /// lookup. An async caller resumes at the first byte of its function, so one is added.
  fileprivate var afterCall: UInt64 { isAsyncCaller ? recorded &+ 1 : recorded }
}

extension Crumb {
  fileprivate var sentryType: String {
    switch kind {
    case .lifecycle: "navigation"
    case .violation, .hang, .error: "error"
    default: "default"
    }
  }

  fileprivate var sentryCategory: String {
    if kind == .lifecycle { return "app.lifecycle" }
    return category.isEmpty ? kind.name : category
  }

  fileprivate var sentryState: String? {
    guard kind == .lifecycle else { return nil }
    switch LifecycleStep(message) {
    case .didEnterBackground: return "background"
    case .didBecomeActive, .willEnterForeground: return "foreground"
    default: return nil
    }
  }
}
