import Testing
@testable import crashscan

@Suite("Command lines are read by the table")
struct ArgumentTests {
  private let parser = ArgumentParser(table: .crashscan)

  private func invocation(_ arguments: String...) throws -> (name: String, Invocation) {
    guard case .run(let command, let invocation) = try parser.parse(arguments) else {
      throw Unexpected()
    }
    return (command.name, invocation)
  }

  private struct Unexpected: Error {}

  @Test("A value stands behind its option, after a space or an equals sign")
  func values() throws {
    for arguments in [["--last", "3"], ["--last=3"]] {
      guard case .run(_, let read) = try parser.parse(["show", "a.log"] + arguments) else {
        throw Unexpected()
      }
      #expect(read[.last] == 3)
      #expect(read.operands == ["a.log"])
    }
  }

  @Test("Of an option given twice the last counts; a repeatable one keeps all")
  func repetition() throws {
    let (_, read) = try invocation(
      "show", "a.log", "--last", "1", "--last", "2", "--category", "x", "--category=y")
    #expect(read[.last] == 2)
    #expect(read.all(.category) == ["x", "y"])
  }

  @Test("A file without a command, options before it or not, is for the implicit one")
  func implicit() throws {
    for arguments in [
      ["a.log", "--verbose"], ["--verbose", "a.log"], ["--verbose", "--", "a.log"],
    ] {
      guard case .run(let command, let read) = try parser.parse(arguments) else {
        throw Unexpected()
      }
      #expect(command.name == CommandTable.crashscan.implicit.name)
      #expect(read[.verbose])
      #expect(read.operands == ["a.log"])
    }
  }

  @Test("After two dashes nothing is an option, and one dash never is")
  func dashes() throws {
    let (_, read) = try invocation("show", "--", "--last")
    #expect(read.operands == ["--last"])
    #expect(try invocation("show", "-").1.operands == ["-"])
  }

  @Test(
    "What is not understood is named, with what was probably meant",
    arguments: [
      (["shwo"], "'shwo' is neither a command nor a file; did you mean 'show'?"),
      (["completion"], "'completion' is neither a command nor a file; did you mean 'completions'?"),
      (["show", "x", "--folow"], "unknown option '--folow'; did you mean '--follow'?"),
      (["show", "x", "--catgeory=a"], "unknown option '--catgeory'; did you mean '--category'?"),
      (["show", "x", "--sym"], "unknown option '--sym'; did you mean '--symbols'?"),
      (["show", "x", "--xyzzy"], "unknown option '--xyzzy'"),
      (["show", "x", "-x"], "unknown option '-x'"),
      (["show"], "FILE is missing"),
      (["show", "a", "b"], "one argument too many: 'b'"),
      (["show", "a", "--last"], "--last needs a value: a whole number"),
      (["show", "a", "--last", "-1"], "--last takes a whole number, not '-1'"),
      (
        ["show", "a", "--format", "xml"],
        "--format takes one of text, json, sentry, death, otlp, sentry-envelope, not 'xml'"
      ),
      (["show", "a", "--verbose=1"], "--verbose takes no value, but got '1'"),
      (["completions", "tcsh"], "'tcsh' is not one of bash, zsh, fish"),
      (["help", "me"], "'me' is not a command"),
    ] as [([String], String)])
  func misunderstood(arguments: [String], message: String) throws {
    #expect {
      try parser.parse(arguments)
    } throws: { error in
      (error as? UsageError)?.message == message
    }
  }

  @Test("Every option of the table is read by the command that has it")
  func wholeTable() throws {
    for command in CommandTable.crashscan.commands {
      let operands = command.operands.map { [sample(of: $0)] } ?? []
      for option in command.options {
        let value = try option.value.map { [try #require(sample(of: $0), "\(option.flag)")] } ?? []
        let arguments = [command.name, option.flag] + value + operands
        guard case .run(let run, let read) = try parser.parse(arguments) else { throw Unexpected() }
        #expect(run.name == command.name)
        #expect(read.operands == operands, "\(option.flag)")
      }
    }
  }

  private func sample(of operand: Command.Operand) -> String {
    if case .choice(let choices) = operand.completion { return choices[0] }
    return "a.log"
  }

  /// Something that the option takes.
  private func sample(of value: OptionEntry.Value) -> String? {
    if case .choice(let choices) = value.completion { return choices[0] }
    return ["1", "5m", "a", "off-main-ui"].first { value.read($0) != nil }
  }
}
