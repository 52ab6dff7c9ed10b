import CrashAnalysis
import IncidentModel
import TextOutput

extension JSONWriter {
  package mutating func value(_ thread: IncidentThread?, ordinal: Int) {
    object {
      $0.member("ordinal", ordinal)
      $0.member("id", thread?.kernelID)
      $0.member("name", thread?.name)
    }
  }

  package mutating func value(_ queue: Queue?) {
    guard let queue else { return null() }
    object {
      $0.member("serial", queue.serial)
      $0.member("label", queue.label)
    }
  }

  package mutating func value(_ onMain: Crumb.OnMain) {
    switch onMain {
    case .yes: value(true)
    case .no: value(false)
    case .unknown: null()
    }
  }

  package mutating func value(_ key: String, _ datum: CrumbValue) {
    object {
      $0.member("key", key)
      switch datum {
      case .string(let string):
        $0.member("type", "string")
        $0.member("value", string)
      case .integer(let integer):
        $0.member("type", "integer")
        $0.member("value", integer)
      case .double(let double):
        $0.member("type", "double")
        $0.key("value")
        $0.value(double)
      case .boolean(let boolean):
        $0.member("type", "boolean")
        $0.member("value", boolean)
      }
    }
  }

  package mutating func value(_ stack: ResolvedStack) {
    object {
      $0.member("end", stack.end.name)
      $0.key("frames")
      $0.array(stack.frames.enumerated()) {
        $0.value($1.element, isOwn: $1.offset < stack.ownFrameCount)
      }
    }
  }

  private mutating func value(_ frame: ResolvedFrame, isOwn: Bool) {
    object {
      $0.member("address", hexadecimal(frame.address.recorded))
      $0.member("isReturnAddress", frame.address.isReturnAddress)
      $0.member("isAsyncCaller", frame.address.isAsyncCaller)
      $0.member("module", frame.module?.name)
      $0.member("offset", frame.offset.map(hexadecimal))
      $0.member("isOwn", isOwn)
      $0.key("functions")
      $0.array(frame.functions) { $0.value($1) }
    }
  }

  private mutating func value(_ function: SourceFrame) {
    object {
      $0.member("name", function.function)
      $0.member("mangledName", function.mangledName)
      $0.member("file", function.file)
      $0.member("line", function.line)
      $0.member("column", function.column)
      $0.member("isInlined", function.isInlined)
    }
  }

  package mutating func value(_ kinds: [CrumbKind: UInt64]) {
    object {
      for kind in CrumbKind.allCases {
        guard let count = kinds[kind] else { continue }
        $0.key(kind.name)
        $0.value(count)
      }
    }
  }

  package mutating func value(_ unread: Unread) {
    object {
      $0.member("offset", unread.offset)
      $0.member("length", unread.length)
      switch unread.reason {
      case .unfinished: $0.member("reason", "unfinished")
      case .damaged: $0.member("reason", "damaged")
      case .truncated: $0.member("reason", "truncated")
      case .other(let words):
        $0.member("reason", "other")
        $0.member("explanation", words)
      }
    }
  }

  package mutating func value(_ module: Module, shortcoming: String?) {
    object {
      $0.member("path", module.path)
      $0.member("buildID", module.buildID.map { twoDigits($0) }.joined())
      $0.member("loadBias", hexadecimal(module.loadBias))
      $0.member("start", hexadecimal(module.text.lowerBound))
      $0.member("end", hexadecimal(module.text.upperBound))
      $0.member("shortcoming", shortcoming)
    }
  }
}

extension Stack.End {
  /// The name in output.
  fileprivate var name: String {
    switch self {
    case .complete: "complete"
    case .limit: "limit"
    case .noRule: "no-rule"
    case .badStack: "bad-stack"
    case .unavailable: "unavailable"
    case .badCallers: "bad-callers"
    }
  }
}

extension FrameAddress {
  fileprivate var isReturnAddress: Bool {
    if case .returnAddress = self { return true }
    return false
  }
}

/// Returns a number in the format of addresses.
package func hexadecimal(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }

/// Returns a byte as two hexadecimal digits.
package func twoDigits(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
