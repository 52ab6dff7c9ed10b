import DeathRecords
import IncidentModel
import CLogFormat

/// Writes the debug annotations of an event.
struct PerfettoAnnotations {
  let packets: PerfettoPackets

  /// Adds a name and a value.
  func add(_ name: String, _ value: String, to event: inout ProtoBytes) {
    let name = packets.number(of: name, for: .annotationName)
    let text = packets.number(of: value, for: .annotationText)
    event.message(4) { annotation in
      annotation.field(1, name)
      annotation.field(17, text)
    }
  }

  func add(_ name: String, _ value: Int64, to event: inout ProtoBytes) {
    let name = packets.number(of: name, for: .annotationName)
    event.message(4) { annotation in
      annotation.field(1, name)
      annotation.field(4, value)
    }
  }

  /// Adds a stack, innermost first.
  func add(_ name: String, _ frames: [NamedFrame], to event: inout ProtoBytes) {
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

  /// Adds the thread that recorded a crumb on a queue's track.
  func addThread(_ label: String, to event: inout ProtoBytes) {
    let text = packets.number(of: label, for: .annotationText)
    event.message(4) { annotation in
      annotation.field(1, packets.number(of: .thread))
      annotation.field(17, text)
    }
  }

  /// Adds the facts that every crumb has, as a group.
  @inline(__always)
  func addFacts(of source: Event, queue: String?, to event: inout ProtoBytes) {
    event.message(4) { group in
      group.field(1, packets.number(of: .crumb))
      member(.level, of: &group) { $0.field(17, packets.number(of: FixedText(source.level))) }
      if let queue {
        let label = packets.number(of: queue, for: .annotationText)
        member(.queue, of: &group) { $0.field(17, label) }
      }
      if !source.marks.contains(.mainUnknown) {
        member(.onMain, of: &group) { $0.field(2, source.marks.contains(.onMain)) }
      }
      member(.number, of: &group) { $0.field(4, UInt64(source.number)) }
      if source.marks.contains(.messageCut) || source.marks.contains(.dataCut) {
        member(.cut, of: &group) { $0.field(2, true) }
      }
      if source.marks.contains(.interrupting) {
        member(.interrupting, of: &group) { $0.field(2, true) }
      }
    }
  }

  @inline(__always)
  private func member(
    _ name: FixedText, of group: inout ProtoBytes, _ value: (inout ProtoBytes) -> Void
  ) {
    group.message(11) { member in
      member.field(1, packets.number(of: name))
      value(&member)
    }
  }

  /// Adds the event's own data. Repeated keys get a number, because Perfetto keeps each key only
  /// once.
  func addData(of source: Event, to event: inout ProtoBytes) {
    guard source.dataBytes.count > 0 else { return }
    var place = 0
    for (key, value) in EventData(bytes: source.dataBytes) {
      defer { place += 1 }
      if key.isEqual(to: MS_KEY_ORIGIN_STACK) { continue }
      var again = 0
      var earlier = EventData(bytes: source.dataBytes)
      for _ in 0..<place {
        guard let (name, _) = earlier.next() else { break }
        if name.count == key.count, name.elementsEqual(key) { again += 1 }
      }
      add(key, again: again, value, to: &event)
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
