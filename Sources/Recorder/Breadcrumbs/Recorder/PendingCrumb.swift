internal import CRecorder

/// A crumb under construction, to which keys and values are added one by one.
@usableFromInline
struct PendingCrumb {
  let kind: UInt8
  /// The open bracket; nil if recording is not possible now, or if foreign code must run first (a
  /// redaction hook or a value's description), because no foreign code may run inside a bracket.
  let bracket: OpaquePointer?
  let encoder: DataEncoder
  /// The data gathered so far; an unmanaged class reference, to avoid reference counting.
  var gathered: Unmanaged<GatheredData>?

  /// Adds a key and its value.
  @usableFromInline
  @inline(never)
  mutating func add(_ key: String, _ value: CrumbValue) {
    if let gathered {
      gathered.takeUnretainedValue().values.append((key, value))
    } else {
      encoder.add(key, value)
    }
  }

  /// Adds a source location, formatted only here.
  mutating func add(_ key: String, file: String, line: UInt) {
    if gathered == nil {
      encoder.add(key, file: file, line: line)
    } else {
      add(key, .string("\(file):\(line)"))
    }
  }

  /// Adds a value of any type. Returns false, and adds nothing, if the value's `description` is
  /// needed: such values must be gathered first.
  @usableFromInline
  @inline(never)
  mutating func add(_ key: String, describing value: any CustomStringConvertible) -> Bool {
    addOpened(key, value)
  }

  private mutating func addOpened<Value: CustomStringConvertible>(
    _ key: String, _ value: Value
  ) -> Bool {
    let isAdded = withUnsafeBytes(of: value) { bytes in
      let plain = PrimitiveValue(bytes, of: Value.self)
      if let value = plain.crumbValue {
        add(key, value)
        return true
      }
      return gathered == nil && encoder.add(key, textOf: plain)
    }
    guard !isAdded, gathered != nil else { return isAdded }
    add(key, .string(value.description))
    return true
  }

  static func gathering(_ kind: UInt8) -> PendingCrumb {
    PendingCrumb(
      kind: kind, bracket: nil, encoder: DataEncoder(data: nil), gathered: .passRetained(.init()))
  }
}

/// The keys and values of a crumb that is not yet written.
final class GatheredData {
  var values: [(key: String, value: CrumbValue)] = []
}
