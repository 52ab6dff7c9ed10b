/// The Swift concurrency runtime of a process, described by its debugger symbols.
struct ConcurrencyRuntime {
  /// The first word of each task object.
  let taskMetadata: UInt64
  /// True if the memory layout of a task beyond its header is known.
  let isKnown: Bool
  /// The runtime's start functions of tasks, which call the program's function.
  let adapters: Set<UInt64>
  /// The unknown properties of this runtime, one sentence each.
  let gaps: [String]

  /// The layout version since Swift 5.9, and the size of the task object in that layout on 64-bit
  /// machines.
  private static let knownVersion: UInt64 = 1
  private static let knownSize: UInt64 = TaskObject.size

  private static let metadataName = "_swift_concurrency_debug_asyncTaskMetadata"
  private static let sizeName = "_swift_concurrency_debug_asyncTaskSize"
  private static let adapterNames = [
    "_swift_concurrency_debug_future_adapter", "_swift_concurrency_debug_non_future_adapter",
  ]
  private static let versionName = "_swift_concurrency_debug_internal_layout_version"

  /// The reason why no tasks can be found.
  enum Absence: Error {
    case notLoaded
    case noSymbols(String)
  }

  /// The debugger symbols. The first symbol is the first word of each task.
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
    // The first version of the layout had no version symbol.
    let version = found[Self.versionName].flatMap(reader.word(at:)).map { $0 & 0xffff_ffff } ?? 0
    taskMetadata = metadata
    adapters = Set(Self.adapterNames.compactMap { found[$0].flatMap(reader.word(at:)) })
    isKnown = size == Self.knownSize && version == Self.knownVersion
    gaps =
      isKnown
      ? []
      : [
        "the task layout of this Swift runtime is unknown (version \(version), \(size.map { "\($0) bytes" } ?? "size unknown")): waits of tasks are not shown"
      ]
  }
}
