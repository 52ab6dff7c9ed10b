import IncidentModel
import CLogFormat

/// Finds work whose start and end the program's own crumbs mark by one id: `request id=7`, then
/// `answered id=7`.
///
/// The pairs of the run show the usual end of each kind. Unfinished work is reported only for a
/// kind with at least as many finished pairs, 95 % of which end by the same crumb.
struct PairedCrumbs {
  private struct Kind: Hashable {
    let category: Int
    let message: Int
  }
  private struct Open {
    let kind: Kind
    let since: UInt64
    let data: [(key: String, value: CrumbValue)]
  }
  private struct Learned {
    let category: String
    let message: String
    var ends: [Int: (message: String, count: Int)] = [:]

    /// The most frequent end of the kind; nil if none was seen.
    var end: (key: Int, message: String, count: Int)? {
      ends.max { $0.value.count < $1.value.count }.map {
        ($0.key, $0.value.message, $0.value.count)
      }
    }
  }

  private var open: [Int: Open] = [:]
  private var kinds: [Kind: Learned] = [:]

  /// The limits of the tables, which bound the memory for malformed logs, and of the evidence.
  private static let mostOpen = 1 << 12, mostKinds = 64, mostEnds = 8, fewest = 4, mostTold = 3
  /// The minimum age of reported work in nanoseconds: work that has just begun is no evidence.
  private static let shortest: UInt64 = 10_000_000

  /// Returns a key of the category and `id` of a crumb; nil if it has no id.
  static func key(of note: Event) -> Int? {
    for (key, value) in EventData(bytes: note.dataBytes) where key.isEqual(to: "id") {
      var hasher = Hasher()
      hasher.combine(bytes: note.categoryBytes)
      hasher.combine(bytes: value.bytes)
      return hasher.finalize()
    }
    return nil
  }

  mutating func observe(_ note: Event) {
    guard let key = Self.key(of: note) else { return }
    let kind = Kind(
      category: note.categoryBytes.contentHash, message: note.messageBytes.contentHash)
    if let begun = open[key], begun.kind != kind {
      guard var learned = kinds[begun.kind] else { return }
      // A crumb between a start and its usual end is a step of the work.
      let isStep = learned.end.map { $0.count >= Self.fewest && $0.key != kind.message } ?? false
      if isStep { return }
      open[key] = nil
      let known = learned.ends[kind.message]
      if known != nil || learned.ends.count < Self.mostEnds {
        learned.ends[kind.message] = (known?.message ?? note.message, (known?.count ?? 0) + 1)
        kinds[begun.kind] = learned
      }
      return
    }
    if kinds[kind] == nil {
      guard kinds.count < Self.mostKinds else { return }
      kinds[kind] = Learned(category: note.category, message: note.message)
    }
    guard open[key] != nil || open.count < Self.mostOpen else { return }
    open[key] = Open(kind: kind, since: note.monotonic, data: note.data)
  }

  /// Returns evidence about the work that had begun before a moment and not ended.
  func evidence(at moment: UInt64) -> [Finding.Evidence] {
    let begun = Dictionary(grouping: open.values, by: \.kind)
    return begun.compactMap { kind, all -> (UInt64, Finding.Evidence)? in
      guard let learned = kinds[kind], let end = learned.end else { return nil }
      let all = all.filter { moment >= $0.since && moment - $0.since >= Self.shortest }
      guard !all.isEmpty else { return nil }
      let ended = learned.ends.values.reduce(0) { $0 + $1.count }
      guard end.count >= Self.fewest, end.count * 20 >= ended * 19, all.count <= ended else {
        return nil
      }
      let oldest = all.sorted { $0.since < $1.since }
      let told = oldest.prefix(Self.mostTold).map { one in
        let data = one.data.prefix(3).map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        return "\(data), for \(TimeSpan.text(nanoseconds: moment - min(moment, one.since)))"
      }
      let more = all.count > told.count ? "; and \(all.count - told.count) more" : ""
      let count = all.count == 1 ? "" : "\(all.count) × "
      return (
        oldest[0].since,
        Finding.Evidence(
          "\(count)“\(learned.category): \(learned.message)” without its “\(end.message)”: "
            + told.joined(separator: "; ") + more)
      )
    }.sorted { $0.0 < $1.0 }.prefix(2).map(\.1)
  }
}
