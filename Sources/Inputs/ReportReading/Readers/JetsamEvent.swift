import IncidentModel

/// Reads Apple's reports about processes that the system ended to free memory.
enum JetsamEvent {
  static func recognises(_ json: JSON) -> Bool {
    json["processes"]?.isArray == true
      && (json["memoryStatus"] != nil || json["largestProcess"] != nil)
  }

  /// The processes that the system ended; empty if the report is only a picture of the memory.
  static func read(_ json: JSON) -> [CrashReport] {
    let page = json["memoryStatus"]?["pageSize"]?.integer ?? 16384
    return (json["processes"]?.array ?? []).prefix(4096).compactMap { process in
      guard let reason = process["reason"]?.string, let name = process["name"]?.string else {
        return nil
      }
      var report = CrashReport(.appleIPS)
      (report.process, report.processID) = (name, process["pid"]?.integer ?? 0)
      report.wall = json["date"]?.string.flatMap(WallClock.nanoseconds) ?? 0
      let size = process["rpages"]?.integer.flatMap { pages in
        pages.multipliedReportingOverflow(by: page).overflow ? nil : (pages * page) >> 20
      }
      let held = size.map { ", which held \($0) MB" } ?? ""
      report.failure = CrashReport.Failure(
        type: "out of memory", signal: "SIGKILL",
        texts: ["the system ended “\(name)”\(held), for \(reason)"])
      return report
    }
  }
}
