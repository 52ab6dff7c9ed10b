/// Parses a command line with the table of commands.
struct ArgumentParser {
  /// The request of a command line.
  enum Request {
    case run(Command, Invocation)
    /// Help on a command; nil for all commands.
    case help(Command?)
    case version
  }

  let table: CommandTable

  func parse(_ arguments: [String]) throws(UsageError) -> Request {
    guard let first = arguments.first else { return .help(nil) }
    if CommandTable.helpFlags.contains(first) { return .help(nil) }
    if first == CommandTable.versionFlag { return .version }
    if let command = table.command(named: first) {
      return try parse(arguments.dropFirst(), of: command)
    }
    if first == CommandTable.helpName { return try help(arguments.dropFirst()) }
    if !first.hasPrefix("-"), !fileExists(first),
      let near = nearest(to: first, among: table.commands.map(\.name))
    {
      throw .unknownCommand(first, nearest: near)
    }
    return try parse(arguments[...], of: table.implicit)
  }

  private func help(_ arguments: ArraySlice<String>) throws(UsageError) -> Request {
    guard let name = arguments.first else { return .help(nil) }
    if let surplus = arguments.dropFirst().first { throw .surplusOperand(surplus) }
    guard let command = table.command(named: name) else {
      throw .badOperand(name, expectation: "a command")
    }
    return .help(command)
  }

  private func parse(
    _ arguments: ArraySlice<String>, of command: Command
  ) throws(UsageError) -> Request {
    var invocation = Invocation()
    var rest = arguments
    var isPastOptions = false
    while let argument = rest.popFirst() {
      if isPastOptions || argument == "-" || !argument.hasPrefix("-") {
        invocation.add(operand: argument)
      } else if argument == "--" {
        isPastOptions = true
      } else if CommandTable.helpFlags.contains(argument) {
        return .help(command)
      } else {
        try read(option: argument, &rest, of: command, into: &invocation)
      }
    }
    try check(invocation.operands, of: command)
    return .run(command, invocation)
  }

  private func read(
    option argument: String, _ rest: inout ArraySlice<String>, of command: Command,
    into invocation: inout Invocation
  ) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let flag = String(parts[0])
    guard let option = command.options.first(where: { $0.flag == flag }) else {
      throw .unknownOption(flag, nearest: nearest(to: flag, among: command.options.map(\.flag)))
    }
    let attached = parts.count > 1 ? String(parts[1]) : nil
    guard let value = option.value else {
      if let attached { throw .needlessValue(attached, of: flag) }
      invocation.add(true, to: option)
      return
    }
    guard let text = attached ?? rest.popFirst() else {
      throw .missingValue(of: flag, expectation: value.expectation)
    }
    guard let read = value.read(text) else {
      throw .badValue(text, of: flag, expectation: value.expectation)
    }
    invocation.add(read, to: option)
  }

  private func check(_ operands: [String], of command: Command) throws(UsageError) {
    guard let wanted = command.operands else {
      if let surplus = operands.first { throw .surplusOperand(surplus) }
      return
    }
    if operands.count < wanted.count.lowerBound { throw .missingOperand(wanted.placeholder) }
    if operands.count > wanted.count.upperBound {
      throw .surplusOperand(operands[wanted.count.upperBound])
    }
    guard case .choice(let choices) = wanted.completion else { return }
    for operand in operands where !choices.contains(operand) {
      throw .badOperand(operand, expectation: "one of \(choices.joined(separator: ", "))")
    }
  }
}
