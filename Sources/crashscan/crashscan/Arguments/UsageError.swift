/// An error in a command line.
enum UsageError: Error, Equatable {
  case unknownOption(String, nearest: String?)
  case unknownCommand(String, nearest: String?)
  case missingValue(of: String, expectation: String)
  case badValue(String, of: String, expectation: String)
  case needlessValue(String, of: String)
  case missingOperand(String)
  case badOperand(String, expectation: String)
  case surplusOperand(String)

  /// The message for the user.
  var message: String {
    switch self {
    case .unknownOption(let option, let nearest):
      "unknown option '\(option)'" + suggestion(nearest)
    case .unknownCommand(let name, let nearest):
      "'\(name)' is neither a command nor a file" + suggestion(nearest)
    case .missingValue(let option, let expectation): "\(option) needs a value: \(expectation)"
    case .badValue(let value, let option, let expectation):
      "\(option) takes \(expectation), not '\(value)'"
    case .needlessValue(let value, let option): "\(option) takes no value, but got '\(value)'"
    case .missingOperand(let placeholder): "\(placeholder) is missing"
    case .badOperand(let operand, let expectation): "'\(operand)' is not \(expectation)"
    case .surplusOperand(let operand): "one argument too many: '\(operand)'"
    }
  }

  private func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean '\($0)'?" } ?? ""
  }
}

/// Returns the candidate nearest to `typed`; nil if none is similar.
func nearest(to typed: String, among candidates: [String]) -> String? {
  let limit = max(1, typed.count / 3)
  let rated = candidates.map { (name: $0, distance: distance(typed, $0)) }
  guard let best = rated.min(by: { $0.distance < $1.distance }), best.distance <= limit else {
    let completed = candidates.filter { typed.count > 3 && $0.hasPrefix(typed) }
    return completed.count == 1 ? completed[0] : nil
  }
  return best.name
}

/// Returns the edit distance, in insertions, deletions, substitutions and transpositions.
private func distance(_ left: String, _ right: String) -> Int {
  let (left, right) = (Array(left.prefix(64)), Array(right.prefix(64)))
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in 0..<left.count {
    var current = [row + 1]
    for column in 0..<right.count {
      let change = last[column] + (left[row] == right[column] ? 0 : 1)
      var least = min(change, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        least = min(least, beforeLast[column - 1] + 1)
      }
      current.append(least)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}
