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

  /// Returns the summary without other tools' reports on crashes that a log contains, such as the
  /// output of swift-backtrace beside the log.
  func withoutReportsOnLoggedCrashes() -> Summary {
    let crashes = logs.filter { $0.value.uniqueFault != nil }
    let logged = crashes.filter { $0.value.isLog }.sorted { $0.key < $1.key }
    var reports: [String: [String]] = [:]
    for (id, report) in crashes where !report.isLog {
      guard let log = logged.first(where: { $0.value.isOfSameCrash(as: report) }) else { continue }
      reports[log.key, default: []].append(id)
    }
    return reports.isEmpty ? self : absorbing(reports)
  }
}

extension RecordingSummary {
  fileprivate var isLog: Bool { format == "breadcrumbs" }

  /// The address of the crash, if address-space randomization makes it unique to the process.
  fileprivate var uniqueFault: UInt64? {
    guard case .crash = ending, let address = faultAddress, address >= 1 << 32 else { return nil }
    return address
  }

  fileprivate func isOfSameCrash(as report: RecordingSummary) -> Bool {
    let programs = [executable, report.executable].map { $0.split(separator: "/").last }
    return uniqueFault == report.uniqueFault
      && (programs[0] == programs[1] || programs[1] == nil)
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
