import VictimTrials

/// What was seen of each way to die, as a page of the documentation.
struct CoverageTable {
  private let builds: [String]
  private var rows: [(key: String, trial: Trial, results: [String: TrialResult])] = []
  private(set) var count = 0
  private(set) var wrong = 0

  init(builds: [String]) { self.builds = builds }

  mutating func add(_ result: TrialResult, build: String) {
    count += 1
    if !result.failures.isEmpty { wrong += 1 }
    let key = "\(result.trial.name) \(result.trial.place)"
    if let known = rows.firstIndex(where: { $0.key == key }) {
      rows[known].results[build] = result
    } else {
      rows.append((key, result.trial, [build: result]))
    }
  }

  var text: String {
    let head = ["kind of crash", "where"] + builds.flatMap { ["\($0): ends with", "recorded"] }
    var lines = [
      "# Crash coverage",
      "",
      "`make check-victims` generates this page. It crashes a program in each of these ways, with and without",
      "Mainstay's crash handler, and checks that the wait status is the same in both cases, and that the log",
      "contains the signal, the thread, the reason, and the faulting function at its position in the stack.",
      "",
      "\(count) trials, \(wrong) wrong.",
      "",
      row(head), row(head.map { _ in "---" }),
    ]
    for (_, trial, results) in rows {
      let cells = builds.flatMap { build -> [String] in
        guard let result = results[build] else { return ["", ""] }
        return ["\(result.status)", recorded(result)]
      }
      lines.append(row(["\(trial.name)", trial.place] + cells))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  private func recorded(_ result: TrialResult) -> String {
    guard result.failures.isEmpty else {
      return "WRONG: " + result.failures.joined(separator: "; ")
    }
    return result.seen
  }
}
