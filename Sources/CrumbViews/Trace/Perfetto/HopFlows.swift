/// The hops that have arrived and not run yet, by their ids: the two newest lots of them.
struct HopFlows {
  private var newer: [UInt64: String] = [:]
  private var older: [UInt64: String] = [:]

  // Hops whose run was recycled would stay for ever.
  private static let most = 1 << 16

  mutating func arrive(_ id: UInt64, name: String) {
    if newer.count >= Self.most {
      older = newer
      newer = [:]
    }
    newer[id] = name
  }

  /// The name of a hop that arrived, which is then forgotten; nil if its arrival is not known.
  mutating func end(_ id: UInt64) -> String? {
    newer.removeValue(forKey: id) ?? older.removeValue(forKey: id)
  }
}
