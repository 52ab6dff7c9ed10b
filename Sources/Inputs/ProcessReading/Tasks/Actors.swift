import IncidentModel

/// Reads the actors that tasks wait for and that threads run on.
struct Actors {
  private let reader: WordReader
  private let names: TypeNames
  private var known: [UInt64: PictureActor] = [:]
  /// The kernel id of the thread on each executor, by the executor's object.
  private let holders: [UInt64: Int]

  private enum Status {
    static let offset: UInt64 = 32
    static let mask: UInt64 = 7
  }

  init(_ reader: WordReader, _ executors: [Int: (object: UInt64, witness: UInt64)]) {
    self.reader = reader
    names = TypeNames(reader)
    holders = Dictionary(
      executors.filter { $0.value.object != 0 }.map { ($0.value.object, $0.key) },
      uniquingKeysWith: { first, _ in first })
  }

  var all: [PictureActor] { known.values.sorted { $0.address < $1.address } }

  /// The actor, queue or pool on which an executor runs its jobs.
  mutating func executor(_ object: UInt64, _ witness: UInt64) -> PictureExecutor {
    if object == 0 { return .pool }
    if let actor = actor(object, witness) { return .actor(actor) }
    let type = names.name(ofClassAt: reader.word(at: object) ?? 0)
    // Since Swift 6.2 the main actor has an executor of the platform; earlier versions use the main
    // actor object.
    let isMain = type == "MainActor" || type.hasSuffix("MainExecutor")
    return isMain ? .main : .custom(object, type: type)
  }

  /// The actor whose default executor this is; nil for a custom executor. A default executor has no
  /// witness table.
  mutating func actor(_ object: UInt64, _ witness: UInt64) -> UInt64? {
    guard object != 0, witness & ~3 == 0, let metadata = reader.word(at: object) else { return nil }
    if known[object] == nil {
      known[object] = PictureActor(
        address: object, type: names.name(ofClassAt: metadata), state: state(of: object),
        holder: holders[object])
    }
    return object
  }

  private func state(of object: UInt64) -> PictureActor.State {
    guard let status = reader.word(at: object &+ Status.offset), status >> 32 == 0 else {
      return .unknown
    }
    return switch status & Status.mask {
    case 0: .idle
    case 1: .scheduled
    case 2: .running
    default: .unknown
    }
  }
}
