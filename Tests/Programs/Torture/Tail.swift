import LogReading
import IncidentModel

/// Follows a log by what was appended, and judges each crumb.
struct Tail {
  private let tail: LogTail
  private var last: [Source: Int64] = [:]
  private var crumbs = 0
  private var torn = 0
  private var disordered = 0
  private var hasEnded = false

  init?(path: String) {
    guard let tail = try? LogTail(path: path) else { return nil }
    self.tail = tail
  }

  /// Nothing torn, nothing twice, each stream in its order, and the end noticed.
  var isGood: Bool { crumbs > 0 && torn == 0 && disordered == 0 && hasEnded }

  var line: String {
    "followed: crumbs \(crumbs), torn \(torn), disordered \(disordered), "
      + (hasEnded ? "the end was noticed" : "the end was not noticed")
  }

  mutating func read() {
    try? tail.poll().forEach { take(Crumb($0)) }
    hasEnded = tail.status.ending == .killed
  }

  private mutating func take(_ crumb: Crumb) {
    guard Verdict.isWhole(crumb) else {
      torn += 1
      return
    }
    crumbs += 1
    guard let source = Source(crumb), case .integer(let number)? = crumb["number"] else { return }
    if let before = last[source], number <= before { disordered += 1 }
    last[source] = number
  }
}
