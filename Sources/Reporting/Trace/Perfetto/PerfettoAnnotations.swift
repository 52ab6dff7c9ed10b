import IncidentModel

/// Writes what an event carries beside its name.
struct PerfettoAnnotations {
  let packets: PerfettoPackets

  /// A name and a value, in the field that `number` says: 4 of an event, 11 of a group.
  func add(_ name: StaticString, _ value: String, to event: inout ProtoBytes, in number: UInt32 = 4)
  {
    let name = packets.number(of: name, for: .annotationName)
    let text = packets.number(of: value, for: .annotationText)
    event.message(number) { annotation in
      annotation.field(1, name)
      annotation.field(17, text)
    }
  }

  func add(_ name: StaticString, _ value: Int64, to event: inout ProtoBytes, in number: UInt32 = 4)
  {
    let name = packets.number(of: name, for: .annotationName)
    event.message(number) { annotation in
      annotation.field(1, name)
      annotation.field(4, value)
    }
  }

  func add(_ name: StaticString, _ value: Bool, to event: inout ProtoBytes, in number: UInt32 = 4) {
    let name = packets.number(of: name, for: .annotationName)
    event.message(number) { annotation in
      annotation.field(1, name)
      annotation.field(2, value)
    }
  }

  /// A stack, innermost first.
  func add(_ name: StaticString, _ frames: [NamedFrame], to event: inout ProtoBytes) {
    guard !frames.isEmpty else { return }
    let name = packets.number(of: name, for: .annotationName)
    event.message(4) { annotation in
      annotation.field(1, name)
      for frame in frames {
        let text = packets.number(of: frame.described, for: .annotationText)
        annotation.message(12) { $0.field(17, text) }
      }
    }
  }

  /// Values that belong together under one name.
  func group(
    _ name: StaticString, in event: inout ProtoBytes, _ body: (inout ProtoBytes) -> Void
  ) {
    let name = packets.number(of: name, for: .annotationName)
    event.message(4) { annotation in
      annotation.field(1, name)
      body(&annotation)
    }
  }

  /// The event's own data; a key that comes up again is numbered, as a trace has each only once.
  func addData(of source: Event, to event: inout ProtoBytes) {
    guard source.dataBytes.count > 0 else { return }
    var keys: [UnsafeRawBufferPointer] = []
    for (key, value) in EventData(bytes: source.dataBytes) {
      if key.isEqual(to: "originStack") { continue }
      let earlier = keys.count { $0.elementsEqual(key) }
      keys.append(key)
      add(key, again: earlier, value, to: &event)
    }
  }

  private func add(
    _ key: UnsafeRawBufferPointer, again: Int, _ value: EncodedValue, to event: inout ProtoBytes
  ) {
    guard let decoded = value.decoded else { return }
    let name =
      again == 0
      ? packets.number(of: key, for: .annotationName)
      : packets.number(
        of: "\(String(decoding: key, as: UTF8.self)) \(again + 1)", for: .annotationName)
    event.message(4) { annotation in
      annotation.field(1, name)
      switch decoded {
      case .string:
        annotation.field(17, packets.number(of: value.bytes, for: .annotationText))
      case .integer(let number): annotation.field(4, number)
      case .double(let number): annotation.field(5, number)
      case .boolean(let truth): annotation.field(2, truth)
      }
    }
  }
}
