import DeathRecords
import IncidentModel

/// The tracks of a trace, described before their first event: the process with its lifecycle, hangs,
/// background tasks and queues, and its threads.
final class PerfettoTracks {
  /// The subject of a track.
  enum Kind {
    case process, lifecycle, hangs, queues
    case queue(UInt32)
    case thread(ordinal: Int)
    /// A thread that recorded no crumbs, by its kernel id.
    case silentThread(Int)
    case task(UInt64)
  }

  private let packets: PerfettoPackets
  private let process: Incident.Process?
  private let salt: UInt64
  private var described: Set<UInt64> = []
  private var labels: Set<String> = []
  private var names: [Int: String] = [:]
  /// The ordinal of the last thread with each kernel id.
  private var ordinals: [Int: Int] = [:]

  private static let explicitOrder: UInt64 = 3
  private static let neverMerged: UInt64 = 2
  private static let mainLabel = "com.apple.main-thread"

  init(_ packets: PerfettoPackets, of source: any EventSource) {
    self.packets = packets
    process = source.process
    var hash = StableHash()
    hash.add(source.recording)
    // A salt, so that the traces of two logs can be opened together.
    salt = (UInt64(hash.hexadecimal, radix: 16) ?? 0) << 1 | 1
  }

  /// Returns a number for `id` that is unique across traces.
  func unique(_ id: UInt64) -> UInt64 { id &+ salt }

  func process(_ executable: String) -> UInt64 {
    track(.process) { track in
      guard let process = self.process else { return track.field(2, "the process") }
      track.message(3) { descriptor in
        descriptor.field(1, UInt64(process.id))
        descriptor.field(2, executable)
        let name = executable.split(separator: "/").last.map(String.init) ?? executable
        descriptor.field(6, name)
      }
      track.field(11, Self.explicitOrder)
    }
  }

  /// Returns a track below the process's track, at position `rank`.
  func child(_ kind: Kind, _ name: String, rank: Int64) -> UInt64 {
    track(kind) { track in
      track.field(5, self.uuid(.process))
      track.field(2, name)
      track.field(12, rank)
      if case .queues = kind { track.field(11, Self.explicitOrder) }
    }
  }

  /// Returns the track of a queue; the main queue comes first.
  func queue(_ number: UInt32, _ queue: Queue) -> UInt64 {
    let uuid = uuid(.queue(number))
    if described.contains(uuid) { return uuid }
    let queues = child(.queues, "queues", rank: 3)
    let isMain = queue.label == Self.mainLabel
    let label = queue.label.isEmpty ? "unnamed queue" : queue.label
    let isFirst = labels.insert(label).inserted
    return track(.queue(number)) { track in
      track.field(5, queues)
      track.field(2, isMain ? "main queue" : isFirst ? label : "\(label) (\(queue.serial))")
      track.field(12, isMain ? 0 : Int64(number) + 1)
      track.field(15, Self.neverMerged)
    }
  }

  func thread(_ ordinal: Int, _ thread: IncidentThread?) -> UInt64 {
    let uuid = uuid(.thread(ordinal: ordinal))
    if described.contains(uuid) { return uuid }
    guard let thread, process != nil else {
      let name = thread.map { "\($0.name) \($0.kernelID)" } ?? "thread \(ordinal)"
      return child(.thread(ordinal: ordinal), name, rank: 4)
    }
    names[ordinal] = thread.name
    ordinals[thread.kernelID] = ordinal
    return describe(.thread(ordinal: ordinal), id: thread.kernelID, name: thread.name)
  }

  /// Returns the track of a thread of which only the kernel id is known.
  func thread(kernelID id: Int, name: String) -> UInt64 {
    if let ordinal = ordinals[id] { return uuid(.thread(ordinal: ordinal)) }
    return process == nil
      ? child(.silentThread(id), "\(name) \(id)", rank: 4)
      : describe(.silentThread(id), id: id, name: name)
  }

  /// Describes tracks again if their names have changed.
  func finish(_ threads: [Int: IncidentThread]) {
    for (ordinal, name) in names.sorted(by: { $0.key < $1.key }) {
      guard let thread = threads[ordinal], thread.name != name else { continue }
      described.remove(uuid(.thread(ordinal: ordinal)))
      _ = describe(.thread(ordinal: ordinal), id: thread.kernelID, name: thread.name)
    }
  }

  private func describe(_ kind: Kind, id: Int, name: String) -> UInt64 {
    track(kind) { track in
      track.message(4) { descriptor in
        descriptor.field(1, UInt64(self.process?.id ?? 0))
        descriptor.field(2, UInt64(id))
        if !name.isEmpty { descriptor.field(5, name) }
      }
    }
  }

  private func track(_ kind: Kind, _ body: (inout ProtoBytes) -> Void) -> UInt64 {
    let uuid = uuid(kind)
    if described.insert(uuid).inserted {
      packets.track { track in
        track.field(1, uuid)
        body(&track)
      }
    }
    return uuid
  }

  private func uuid(_ kind: Kind) -> UInt64 {
    switch kind {
    case .process: unique(2)
    case .lifecycle: unique(4)
    case .hangs: unique(6)
    case .queues: unique(8)
    case .queue(let number): unique(1 << 40 | UInt64(number) << 1)
    case .thread(let ordinal): unique(2 << 40 | UInt64(ordinal) << 1)
    case .silentThread(let id): unique(3 << 40 | UInt64(truncatingIfNeeded: id) << 1)
    case .task(let number): unique(4 << 40 | number << 1)
    }
  }
}
