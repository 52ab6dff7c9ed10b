/// What came of many runs.
struct Tally {
  /// The run with most of something, in words.
  struct Most {
    var value: Double = 0
    var words = ""

    mutating func take(_ value: Double, _ words: String) {
      if value > self.value {
        self.value = value
        self.words = words
      }
    }
  }

  var counts: [String: Int] = [:]
  /// By what: the most processor time, memory, and memory by the bytes of the input.
  var most: [String: Most] = [:]
  var failures: [String] = []

  mutating func count(_ what: String) { counts[what, default: 0] += 1 }

  mutating func take(_ what: String, _ value: Double, _ words: String) {
    most[what, default: Most()].take(value, words)
  }

  // MARK: From one process to another

  /// A line for each thing, that `add` understands.
  var lines: String {
    counts.map { "count\t\($0.key)\t\($0.value)\n" }.joined()
      + most.map { "most\t\($0.key)\t\($0.value.value)\t\($0.value.words)\n" }.joined()
      + failures.map { "failure\t\($0)\n" }.joined()
  }

  mutating func add(line: Substring) {
    let parts = line.split(separator: "\t").map(String.init)
    switch (parts.first, parts.count) {
    case ("count", 3): counts[parts[1], default: 0] += Int(parts[2]) ?? 0
    case ("most", 4): take(parts[1], Double(parts[2]) ?? 0, parts[3])
    case ("failure", 2): failures.append(parts[1])
    default: break
    }
  }
}
