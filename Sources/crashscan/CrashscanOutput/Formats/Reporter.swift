import CrashAnalysis
import IncidentModel

/// Writes a report in one format.
package protocol Reporter: Sendable {
  /// Returns the whole report, which ends with a newline unless it is empty.
  func write(_ report: Report) -> String
}

/// The findings of one defect: the most informative finding, and the findings of other rules.
struct DefectGroup {
  var lead: Report.Entry
  var others: [Report.Entry] = []

  /// Groups findings by their defect, in the order of each defect's first finding.
  static func groups(of entries: [Report.Entry]) -> [DefectGroup] {
    var groups: [DefectGroup] = []
    var places: [String: Int] = [:]
    for entry in entries {
      let defect = Defects.key(of: entry.finding)
      if let defect, let place = places[defect] {
        groups[place].others.append(entry)
      } else {
        if let defect { places[defect] = groups.count }
        groups.append(DefectGroup(lead: entry))
      }
    }
    return groups
  }
}

/// The findings of all rules, indexed by defect.
package struct Defects: Sendable {
  private let findings: [String: [Finding]]

  package init(_ entries: [Report.Entry]) {
    var findings: [String: [Finding]] = [:]
    for entry in entries {
      if let key = Self.key(of: entry.finding) { findings[key, default: []].append(entry.finding) }
    }
    self.findings = findings
  }

  /// Returns the finding itself, then the other findings of its defect.
  package func findings(like finding: Finding) -> [Finding] {
    let same = Self.key(of: finding).flatMap { findings[$0] } ?? []
    return [finding] + same.filter { $0.fingerprint != finding.fingerprint }
  }

  /// Returns the identity of the defect; nil if no other finding shares it.
  fileprivate static func key(of finding: Finding) -> String? {
    finding.defect.isEmpty ? nil : finding.incident + " " + finding.defect
  }
}
