import Glibc

/// Executes the request of the command line.
private func run(_ arguments: [String]) -> ExitCode {
  let table = CommandTable.crashscan
  do throws(UsageError) {
    switch try ArgumentParser(table: table).parse(arguments) {
    case .run(let command, let invocation): return command.run(invocation)
    case .help(let command): write(Help(table: table).text(on: command))
    case .version: write(VersionText().text)
    }
    return .nothingFound
  } catch {
    tell("\(error.message)")
    let command = arguments.first.flatMap { table.command(named: $0)?.name }
    tell("crashscan \(command.map { $0 + " " } ?? "")--help shows how to use it")
    return .usage
  }
}

private func write(_ text: String) {
  var output = StandardOutput()
  output.write(text)
}

exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
