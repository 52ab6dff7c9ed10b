import IncidentModel

/// Reads the report of the Linux kernel's lock checker about locks that are taken in two orders.
enum KernelLocks {
  static let needles = [
    "possible circular locking dependency detected", "possible recursive locking detected",
  ]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = line.range(ofAny: needles),
      line[..<mark.lowerBound].hasSuffix("WARNING: ") || line.hasSuffix("detected ]")
        || line[..<mark.lowerBound].hasSuffix("INFO: ")
    else { return nil }
    var chains: [CrashReport.Thread] = []
    var name = ""
    var end = text.middle + 1
    for place in end..<min(text.lines.count, end + 300) {
      text.search.lines += 1
      let line = text.lines[place].text
      if line.contains("*** DEADLOCK ***") {
        end = place + 1
        break
      }
      if let trying = line.range(of: " is trying to acquire lock") {
        name = line[..<trying.lowerBound].split(separator: " ").last.map(String.init) ?? ""
      } else if let arrow = line.range(of: "-> #"), chains.count < 16 {
        let number = Int(line[arrow.upperBound...].prefix(while: \.isNumber)) ?? chains.count
        chains.append(
          CrashReport.Thread(number: number, name: "lock order #\(number)", isMain: false))
      } else if !chains.isEmpty, let frame = KernelReport.frame(KernelReport.lastPart(of: line)) {
        chains[chains.count - 1].frames.append(frame)
        end = place + 1
      }
    }
    guard chains.count > 1 else { return nil }
    for place in chains.indices { markOwn(&chains[place].frames) }
    // The kernel prints the newest order, the one of the named task, last.
    chains.reverse()
    if let slash = name.lastIndex(of: "/"), !name[..<slash].isEmpty {
      chains[0].name = String(name[..<slash])
      chains[0].id = Int(name[name.index(after: slash)...]) ?? 0
    }
    let report = CrashReport(
      .kernelLog, toldRace: "possible lock-order inversion", by: "The kernel's lock checker",
      among: chains)
    return (report, end)
  }

  /// Marks the driver's functions as own; without a driver, those that took the lock for the
  /// subsystem.
  private static func markOwn(_ frames: inout [CrashReport.Frame]) {
    if frames.contains(where: { $0.isOwn == true }) { return }
    guard
      let first = frames.firstIndex(where: { frame in
        !primitives.contains { frame.symbol.contains($0) }
      })
    else { return }
    frames[first].isOwn = true
  }

  private static let primitives = [
    "lock_acquire", "mutex_lock", "spin_lock", "read_lock", "write_lock", "down_read", "down_write",
    "rt_mutex", "rtmutex", "check_prev", "validate_chain",
  ]
}
