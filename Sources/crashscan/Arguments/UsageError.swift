/// Why a command line was not understood.
enum UsageError: Error, Equatable {
  case unknownOption(String, nearest: String?)
  case unknownCommand(String, nearest: String?)
  case missingValue(of: String, expectation: String)
  case badValue(String, of: String, expectation: String)
  case needlessValue(String, of: String)
  case missingOperand(String)
  case badOperand(String, expectation: String)
  case surplusOperand(String)

  /// What to tell the person who typed it.
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
