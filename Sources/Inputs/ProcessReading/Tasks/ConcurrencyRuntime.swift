/// The Swift concurrency runtime of a process, as its symbols for debuggers describe it.
struct ConcurrencyRuntime {
  /// The first word of each task.
  let taskMetadata: UInt64
  /// Whether the memory of a task beyond its head is laid out as we know it.
  let isKnown: Bool
  /// The functions that a task which has not started yet begins with: they call the program's.
  let adapters: Set<UInt64>
  /// Gaps in the knowledge of this runtime, one sentence each.
  let gaps: [String]

  /// The layout since Swift 5.9, and the size of the task object that goes with it on 64-bit machines.
  private static let knownVersion: UInt64 = 1
  private static let knownSize: UInt64 = TaskObject.size

  private static let metadataName = "_swift_concurrency_debug_asyncTaskMetadata"
  private static let sizeName = "_swift_concurrency_debug_asyncTaskSize"
  private static let adapterNames = [
    "_swift_concurrency_debug_future_adapter", "_swift_concurrency_debug_non_future_adapter",
  ]
  private static let versionName = "_swift_concurrency_debug_internal_layout_version"

  /// Why there are no tasks to be found.
  enum Absence: Error {
    case notLoaded
    case noSymbols(String)
  }

  /// The symbols for debuggers, that of the tasks' first word first.
  static let names = [metadataName, sizeName, versionName] + adapterNames

  init(_ reader: WordReader, _ symbols: ProcessSymbols) throws(Absence) {
    guard let runtime = symbols.runtime else {
      throw symbols.libraryWithoutSymbols.map { .noSymbols($0) } ?? .notLoaded
    }
    let found = runtime.addresses
    guard let metadata = found[Self.metadataName].flatMap(reader.word(at:)), metadata != 0,
      metadata & 7 == 0
    else { throw .noSymbols(runtime.module) }
    let size = found[Self.sizeName].flatMap(reader.word(at:))
    // The first layout came without a version.
    let version = found[Self.versionName].flatMap(reader.word(at:)).map { $0 & 0xffff_ffff } ?? 0
    taskMetadata = metadata
    adapters = Set(Self.adapterNames.compactMap { found[$0].flatMap(reader.word(at:)) })
    isKnown = size == Self.knownSize && version == Self.knownVersion
    gaps =
      isKnown
      ? []
      : [
        "tasks of this Swift runtime are laid out in a way that is not known (version \(version), "
          + "\(size.map { "\($0) bytes" } ?? "size unknown")): their waits are left out"
      ]
  }
}
