import LogReading
import Glibc
import IncidentModel

/// Reads a log again and again beside writers at full speed: as a whole, and by what was appended.
struct Live {
  let killer: Killer

  /// Reads for so long; the last line says what was seen. True if no torn crumb was shown.
  func run(seconds: Int) -> Bool {
    let path = "\(killer.directory)/breadcrumbs.log"
    let (process, pipe) = killer.start(path: path, capacity: 1 << 20, limit: .max)
    var acknowledgements = AcknowledgementReader(pipe: pipe)
    acknowledgements.waitForFirst()
    var reads = 0
    var crumbs = 0
    var torn = 0
    var disordered = 0
    var damaged = 0
    var tail = Tail(path: path)
    let end = acknowledgements.nanoseconds() + UInt64(seconds) * 1_000_000_000
    while acknowledgements.nanoseconds() < end {
      acknowledgements.read(forMicroseconds: 500)
      guard let incident = try? LogReader(path: path).read() else { continue }
      reads += 1
      crumbs += incident.crumbs.count
      torn += incident.crumbs.count { !Verdict.isWhole($0) }
      disordered += Self.disordered(incident)
      damaged += incident.unread.count { $0.reason == .damaged }
      tail?.read()
    }
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    close(pipe)
    // What was left last is read once the writers are gone.
    tail?.read()
    print(
      "reads \(reads), crumbs \(crumbs), torn \(torn), disordered \(disordered), "
        + "told as damaged \(damaged)")
    print(tail?.line ?? "the log could not be followed")
    let isGood = torn == 0 && disordered == 0 && damaged == 0
    return reads > 0 && crumbs > 0 && isGood && tail?.isGood == true
  }

  /// How often a thread's crumb is not the one after the last of its stream.
  private static func disordered(_ incident: Incident) -> Int {
    var last: [Source: Int64] = [:]
    var count = 0
    for crumb in incident.crumbs {
      guard let source = Source(crumb), case .integer(let number)? = crumb["number"] else {
        continue
      }
      if let before = last[source], number <= before { count += 1 }
      last[source] = number
    }
    return count
  }
}
