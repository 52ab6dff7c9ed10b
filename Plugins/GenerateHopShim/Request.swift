/// What was asked on the command line.
struct Request {
  let arguments: [String]

  init(_ arguments: [String]) { self.arguments = arguments }

  var isHelp: Bool { arguments.isEmpty || arguments.contains("--help") || arguments.contains("-h") }
  var isCheck: Bool { arguments.contains("--check") }

  /// The value after `option`.
  subscript(option: String) -> String? {
    guard let index = arguments.firstIndex(of: option), index + 1 < arguments.count else {
      return nil
    }
    return arguments[index + 1]
  }
}
