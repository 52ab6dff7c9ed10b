import IncidentModel

/// The number of starts of each program, in total and by release, as the base of rates.
struct StartCounts {
  let recordings: [RecordingSummary]
  private var programs: [String: Int] = [:]
  private var builds: [[String]: Int] = [:]

  init(_ recordings: [RecordingSummary]) {
    self.recordings = recordings
    for recording in recordings {
      programs[recording.executable, default: 0] += 1
      builds[[recording.executable, recording.release ?? ""], default: 0] += 1
    }
  }

  /// - Parameter release: nil for all of them, empty for runs that did not say theirs.
  func starts(of programs: Set<String>, release: String? = nil) -> Int {
    programs.reduce(0) { sum, program in
      sum + (release.map { builds[[program, $0]] ?? 0 } ?? self.programs[program] ?? 0)
    }
  }
}
