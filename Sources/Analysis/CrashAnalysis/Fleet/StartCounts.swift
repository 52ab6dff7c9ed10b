import IncidentModel

/// The number of starts of each program, in total and by release: the denominator of rates.
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

  /// Returns the number of starts of some programs.
  ///
  /// - Parameter release: nil for all releases, empty for runs that did not record a release.
  func starts(of programs: Set<String>, release: String? = nil) -> Int {
    programs.reduce(0) { sum, program in
      sum + (release.map { builds[[program, $0]] ?? 0 } ?? self.programs[program] ?? 0)
    }
  }
}
