import IncidentModel

extension Summary {
  /// Returns the summary with each crash that was read without names counted as the same crash, in the
  /// same build, that was read with names. Crashes of several named culprits stay apart.
  func withSameCrashesTogether() -> Summary {
    let crashes = Dictionary(grouping: examples.filter { $0.value.buildFingerprint != nil }) {
      [$0.value.rule, $0.value.buildFingerprint ?? ""]
    }
    var names: [String: String] = [:]
    for crash in crashes.values where crash.count > 1 {
      let named = crash.filter { $0.value.culprit?.file != nil }
      guard named.count == 1 else { continue }
      for unnamed in crash where unnamed.key != named[0].key { names[unnamed.key] = named[0].key }
    }
    return names.isEmpty ? self : renaming(names)
  }
}

extension RecordingSummary {
  /// Renames the fingerprints of findings, and adds the counts of those that become equal.
  mutating func rename(_ names: [String: String]) {
    for (old, new) in names {
      if let count = counts.removeValue(forKey: old) {
        let sum = max(0, counts[new] ?? 0).addingReportingOverflow(max(0, count))
        counts[new] = sum.overflow ? .max : sum.partialValue
      }
      if let span = spans?.removeValue(forKey: old) {
        spans?[new, default: span].extend(to: span)
      }
    }
  }
}
