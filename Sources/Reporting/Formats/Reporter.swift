import CrashAnalysis

/// Writes a report in one format.
package protocol Reporter: Sendable {
  /// The whole report; it ends with a line break unless it is empty.
  func write(_ report: Report) -> String
}

/// Findings of one defect: the one that tells most, and what other rules say of the same thing.
struct DefectGroup {
  var lead: Report.Entry
  var others: [Report.Entry] = []

  /// Findings by their defect, in the order of the first of each.
  static func groups(of entries: [Report.Entry]) -> [DefectGroup] {
    var groups: [DefectGroup] = []
    var places: [String: Int] = [:]
    for entry in entries {
      let defect = entry.finding.incident + " " + entry.finding.defect
      if let place = places[defect], !entry.finding.defect.isEmpty {
        groups[place].others.append(entry)
      } else {
        places[defect] = groups.count
        groups.append(DefectGroup(lead: entry))
      }
    }
    return groups
  }
}
